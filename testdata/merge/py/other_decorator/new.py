class A:
    y: int
