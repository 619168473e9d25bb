package a

type S struct {
	a int
}

func f() {
	g()
}
