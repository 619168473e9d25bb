class E(Exception):
    code = 1


class F: # later
    code = 2
