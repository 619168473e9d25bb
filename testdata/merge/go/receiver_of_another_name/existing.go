package a

func (s *S) M() {
	s.x()
}
