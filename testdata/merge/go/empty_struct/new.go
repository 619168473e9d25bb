package a

type S struct {
	x int
}
