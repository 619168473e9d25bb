package a

type S struct{}
