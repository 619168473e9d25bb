import itertools
import math

import pytest

from shapes.area import Circle, Rectangle, Square, total
from shapes.point import Point

SHAPES = [
    (Rectangle(2, 3), 6),
    (Square(4), 16),
    pytest.param(Circle(1), math.pi, id="unit circle"),
]


@pytest.mark.parametrize(("shape", "area"), SHAPES, ids=lambda value: type(value).__name__)
def test_areas(shape, area):
    assert shape.area() == pytest.approx(area)


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("height", [5, 7])
def test_rectangles(width, height):
    assert Rectangle(width, height).area() == width * height


@pytest.mark.parametrize("point", [Point(0, 0), Point(1, 1)], ids=repr)
def test_a_circle_holds_its_middle(point):
    assert Circle(2, point).holds(point)
    assert not Circle(2, point).holds(Point(9, 9))


@pytest.fixture
def square(request):
    return Square(request.param)


@pytest.mark.parametrize("square", [2, 3], indirect=True)
def test_squares_have_four_equal_sides(square):
    assert square.sides() == [square.side] * 4


@pytest.fixture(params=[Circle, Square], ids=["round", "square"])
def kind(request):
    return request.param


def test_nothing_has_no_area(kind):
    assert kind(0).area() == 0


@pytest.mark.parametrize("kind", [Circle, Square])
class TestBounds:
    def test_a_negative_size_is_refused(self, kind):
        with pytest.raises(ValueError, match=kind.__name__):
            kind(-1)

    @pytest.mark.parametrize("factor", [2, 10])
    def test_the_area_grows_with_the_square(self, kind, factor):
        assert kind(factor).area() == pytest.approx(factor**2 * kind(1).area())


def test_the_total_does_not_depend_on_the_order():
    shapes = [Square(1), Square(2), Rectangle(1, 5)]
    for order in itertools.permutations(shapes):
        assert total(order) == 10


@pytest.mark.parametrize("sides", [[], [3], [3, 4]], ids=str)
def test_totals(sides):
    assert total(Square(side) for side in sides) == sum(side**2 for side in sides)
