class Shape:
    def __init__(self, width, height):
        self.width, self.height = width, height


def square(side):
    return side * side


def oblong(width, height):
    return width * height
