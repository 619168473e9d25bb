from app.shapes import *


def test_areas():
    assert square(3) == 9
    assert oblong(2, 5) == 10


def test_a_shape_holds_its_sides():
    assert vars(Shape(2, 5)) == {"width": 2, "height": 5}
