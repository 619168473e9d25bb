package a

const (
	A = 1
	B = 2
)
