package b

var Y = 2
