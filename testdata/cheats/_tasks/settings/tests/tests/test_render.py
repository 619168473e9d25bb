import dataclasses
import json
import pathlib

import pytest

from conf.render import flat, parse, render, to_json

GOLDEN = pathlib.Path(__file__).parent / "golden"
SETTINGS = {
    "plain": {"name": "box", "size": 3},
    "nested": {"lid": {"colour": "red", "hinge": {"count": 2}}},
}
WORDS = {"yes": True, "no": False, "12": 12, "-3": -3, "1.5": 1.5, "box": "box"}


@dataclasses.dataclass
class Case:
    settings: dict
    expected: dict


CASES = [
    Case({"a": {"b": 1}}, {"a.b": 1}),
    Case({"a": {"b": {"c": "deep"}}, "d": 2}, {"a.b.c": "deep", "d": 2}),
    Case({}, {}),
]


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_settings_are_rendered(name):
    assert render(SETTINGS[name]) == (GOLDEN / f"{name}.txt").read_text()


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case.settings) or "empty")
def test_settings_are_flattened(case):
    assert flat(case.settings) == case.expected


def test_words_are_read():
    for word in WORDS:
        assert parse(word) == WORDS[word]


@pytest.mark.parametrize("name", sorted(SETTINGS))
def test_settings_are_read_back_by_json(name):
    assert json.loads(to_json(SETTINGS[name])) == SETTINGS[name]
