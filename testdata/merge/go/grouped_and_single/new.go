package a

const A = 1
