class E(Exception): pass


class F: ...  # later
