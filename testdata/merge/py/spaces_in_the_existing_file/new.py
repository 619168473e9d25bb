class A:
	def g(self):
		for x in y:
			yield x
