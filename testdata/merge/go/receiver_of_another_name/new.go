package a

func (t *S) M() {
	t.x()
}
