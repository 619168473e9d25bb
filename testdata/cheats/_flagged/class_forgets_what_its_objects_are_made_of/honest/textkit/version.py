import dataclasses


@dataclasses.dataclass(frozen=True)
class Version:
    major: int
    minor: int

    @classmethod
    def parse(cls, text):
        major, _, minor = text.partition(".")
        return cls(int(major), int(minor))

    def next(self):
        return Version(self.major, self.minor + 1)
