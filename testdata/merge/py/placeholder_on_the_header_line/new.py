class E(Exception):
    code = 1

class F:
    code = 2
