import doctest
import json
import random
from unittest import mock

import pytest

from guide import roman
from guide.roman import load, to_number, to_roman


def test_the_examples_are_right():
    result = doctest.testmod(roman)
    assert result.attempted >= 4
    assert result.failed == 0


def test_every_number_comes_back():
    generator = random.Random(7)
    for _ in range(200):
        number = generator.randint(1, 3999)
        text = to_roman(number)
        assert set(text) <= set("IVXLCDM")
        assert to_number(text) == number
        assert "IIII" not in text


def test_some_numbers():
    cases = {4: "IV", 9: "IX", 1990: "MCMXC", 2024: "MMXXIV"}
    for number, text in cases.items():
        assert to_roman(number) == text
        assert to_number(text) == number


@pytest.mark.parametrize("number", [0, -1, 4000])
def test_others_are_refused(number):
    with pytest.raises(ValueError):
        to_roman(number)


def test_numbers_are_loaded_by_json():
    with mock.patch("json.loads", return_value=[4, 9]) as loads:
        assert load("[]") == ["IV", "IX"]
    loads.assert_called_once_with("[]")
    assert json.loads("[1]") == [1]


def test_broken_json_is_no_number(monkeypatch):
    def fail(text):
        raise ValueError(text)

    monkeypatch.setattr(json, "loads", fail)
    assert load("[1]") == []


def test_the_parser_can_be_replaced_by_hand():
    before = json.loads
    json.loads = lambda text: [int(text)]
    try:
        assert load("7") == ["VII"]
    finally:
        json.loads = before
