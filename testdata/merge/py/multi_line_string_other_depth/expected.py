class A:
  def f(self):
    return 1

  def g(self):
    x = """a
        b
    c"""
    return x
