package a

var X = 1
