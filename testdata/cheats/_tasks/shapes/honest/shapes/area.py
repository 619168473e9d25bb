import math

from shapes.point import Point


class Rectangle:
    def __init__(self, width, height):
        self.width, self.height = width, height

    def area(self):
        return self.width * self.height

    def sides(self):
        return [self.width, self.height] * 2


class Square(Rectangle):
    def __init__(self, side):
        if side < 0:
            raise ValueError("Square needs a side")
        super().__init__(side, side)

    @property
    def side(self):
        return self.width


class Circle:
    def __init__(self, radius, middle=None):
        if radius < 0:
            raise ValueError("Circle needs a radius")
        self.radius, self.middle = radius, middle or Point(0, 0)

    def area(self):
        return math.pi * self.radius**2

    def holds(self, point):
        return math.hypot(point.x - self.middle.x, point.y - self.middle.y) <= self.radius


def total(shapes):
    return sum(shape.area() for shape in shapes)
