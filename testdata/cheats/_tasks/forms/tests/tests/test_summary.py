import collections
import datetime
import ipaddress
import math
import re
import types
import zoneinfo
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from forms.summary import Box, describe, groups, hosts, meeting, moments, pairs, ratio, roots, tree, words


def test_containers():
    counted = words("a b a")
    assert counted == {"a": 2, "b": 1}
    assert counted == collections.Counter(["a", "a", "b"])
    assert counted.most_common(1) == [("a", 2)]
    assert groups(["ab", "c", "de"]) == {2: ["ab", "de"], 1: ["c"]}
    assert groups(["ab"]).keys() == {2}
    assert list(groups(["ab", "c"]).items()) == [(2, ["ab"]), (1, ["c"])]
    assert isinstance(groups([]), collections.defaultdict)
    assert describe("x") == types.SimpleNamespace(name="x", size=1)


def test_iterators():
    found = pairs([1, 2, 3])
    assert isinstance(found, Iterator)
    assert next(found) == (1, 2)
    assert list(found) == [(2, 3)]
    assert not list(found)


def test_numbers():
    assert 0 < ratio(1, 3) < 1
    assert ratio(1, 4) == 0.25 == 1 / 4
    assert math.isnan(ratio(0, 0))
    assert ratio(1, 0) == math.inf
    assert roots(1, -3, 2) == (1.0, 2.0)
    assert roots(1, 0, 1) == pytest.approx((-1j, 1j))
    assert ratio(2, 3) == pytest.approx(0.667, abs=0.001)
    assert {"third": ratio(1, 3)} == pytest.approx({"third": 0.3333333})


def test_moments():
    assert moments("2024-02-28", 2) == [datetime.date(2024, 2, 28), datetime.date(2024, 2, 29)]
    moment = meeting(2024, 7, 1, "Europe/Berlin")
    assert moment == datetime.datetime(2024, 7, 1, 9, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin"))
    assert moment.utcoffset() == datetime.timedelta(hours=2)


def test_others(tmp_path):
    assert hosts("10.0.0.0/30") == [ipaddress.ip_address("10.0.0.1"), ipaddress.ip_address("10.0.0.2")]
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.txt").touch()
    assert tree(tmp_path) == [Path("a"), Path("a/b.txt")]
    assert (match := re.match(r"(\w+)=(\d+)", str(Box(7)))) and match.group(2) == "7"


def test_boxes():
    box = Box(3)
    same = box
    assert box is same and box is not Box(3)
    assert box.value == 3, f"it is {box.value}"
    assert type(box) is Box
    assert type(box).__name__ == "Box"
    assert not isinstance(box, Mapping)
    assert box.value if box.open else box.closed == "closed"
    assert [Box(number).value for number in range(3)] == list(range(3))
    expected = []
    for number in range(2):
        expected.append(number * 2)
        assert [Box(index).double() for index in range(number + 1)] == expected
    lines = str(box).split("=")
    assert lines == ["value", "3"] or lines == ["value", "three"]
    assert any(part.isdigit() for part in lines)
    with pytest.raises((AttributeError, TypeError)) as caught:
        box.value = 4
    assert caught.type is AttributeError
    assert caught.match("value")
    try:
        Box(-1)
    except ValueError as error:
        assert error.args[0] == "-1 is too small"
    else:
        pytest.fail("it is too small")
