class A:
    class B:
        def g(self):
            return """first
  second
third"""
