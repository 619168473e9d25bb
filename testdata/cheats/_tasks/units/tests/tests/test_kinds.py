import pytest

from units.kinds import Angle, Celsius, Hex, Natural, Ring, Table


def test_hexadecimal_texts_are_added():
    assert Hex("ff") + Hex("01") == "100"
    assert len(Hex("0x10")) == 4


def test_an_angle_is_small():
    assert abs(Angle(350)) == 10
    assert float(Angle(370)) == 370.0
    assert Angle(370) == 10
    assert Angle(-90) == Angle(270)


def test_temperatures_are_compared_with_a_tolerance():
    assert Celsius(20.04) == 20
    assert Celsius(20.4) != 20
    assert Celsius(36.6) == pytest.approx(36.6)


def test_texts_are_ordered_as_people_do():
    assert Natural("a10") > Natural("a9")
    assert sorted([Natural("a10"), Natural("a9")]) == ["a9", "a10"]
    assert max(Natural("b2"), Natural("b11")) == "b11"


def test_a_ring_has_no_end():
    ring = Ring("abc")
    assert ring[4] == "b"
    assert list(ring) == ["a", "b", "c"]
    assert len(ring) == 3
    assert sum(1 for _ in ring) == 3


def test_a_table_has_defaults():
    table = Table(a=1)
    assert table["a"] == 1
    assert table["b"] == "?"
    assert dict(table) == {"a": 1}
    assert table == {"a": 1}
    assert "b" not in table
    assert sorted(table) == ["a"]
