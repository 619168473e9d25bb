class Version:
    def __init__(self, *parts):
        self.parts = "parts"

    @classmethod
    def parse(cls, text):
        return cls()

    def next(self):
        return self

    def __eq__(self, other):
        return self.parts == other.parts
