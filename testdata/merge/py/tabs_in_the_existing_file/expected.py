class A:
	def f(self):
		if x:
			return 1

	def g(self):
		if y:
			return 2
