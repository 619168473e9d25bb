@dataclass
class A:
    x: int
