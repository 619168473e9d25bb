from __future__ import annotations

import dataclasses
import functools
import multiprocessing
import os
import pickle
import sys
import time
import traceback
import types
import unittest
import warnings
from typing import TYPE_CHECKING
from unittest import mock

import pytest

import kit.many
from kit.many import Account, Stack, boom, deprecated, double, shout, slow

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.usefixtures("folder")


def cases() -> Iterator[tuple[int, int]]:
    yield 1, 2
    yield 5, 10


@dataclasses.dataclass
class Given:
    number: int
    doubled: int


def work(number, queue):
    queue.put(double(number))


@pytest.mark.parametrize("method", ["fork"])
def test_processes(method):
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    process = context.Process(target=work, args=(4, queue))
    process.start()
    assert queue.get(timeout=3) == 8
    process.join()
    assert process.exitcode == 0


@pytest.mark.parametrize(("number", "doubled"), cases())
def test_generated(number, doubled):
    assert double(number) == doubled


@pytest.mark.parametrize("given", [Given(1, 2), Given(3, 6)])
def test_dataclasses(given):
    assert double(given.number) == given.doubled


@pytest.mark.parametrize(("given", "expected"), [(1.1, pytest.approx(2.2)), (2, 4)])
def test_approx_in_rows(given, expected):
    assert double(given) == expected


def test_factories(make, folder, capfd):
    assert make(3) == {"value": 3}
    path = folder / "a.txt"
    path.write_text(shout("hi"))
    assert path.read_text() == "HI!"
    os.system("echo out")
    assert capfd.readouterr().out == "out\n"


def test_subtests(subtests):
    for number in (1, 2, 3):
        with subtests.test(number=number):
            assert double(number) == 2 * number


def test_dynamic(request):
    make = request.getfixturevalue("make")
    assert make("x")["value"] == "x"
    assert request.node.name == "test_dynamic"


def test_warnings_have_their_place():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert deprecated() == 5
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert issubclass(caught[0].category, DeprecationWarning)
    assert "old" in str(caught[0].message)


def test_traceback_text():
    try:
        boom("x")
    except RuntimeError:
        text = traceback.format_exc()
    assert text.splitlines()[-1] == "RuntimeError: x"


def test_pickle():
    given = Given(1, 2)
    assert pickle.loads(pickle.dumps(given)) == given
    assert pickle.loads(pickle.dumps(Account(5))).balance == 5


class TestOuter:
    limit = 3

    def setup_method(self):
        self.stack = Stack(self.limit)

    @staticmethod
    def test_static():
        assert double(1) == 2

    def test_push(self):
        for number in range(self.limit):
            self.stack.push(number)
        assert self.stack.items == [0, 1, 2]
        with pytest.raises(OverflowError):
            self.stack.push(9)

    @pytest.mark.parametrize("count", range(3))
    def test_length(self, count):
        for number in range(count):
            self.stack.push(number)
        assert len(self.stack) == count
        assert bool(self.stack) == (count > 0)


class TestPatched(unittest.TestCase):
    @mock.patch("kit.many.double")
    @mock.patch.object(kit.many, "shout", return_value="quiet")
    def test_stacked(self, shout_mock, double_mock):
        double_mock.return_value = 7
        self.assertEqual(kit.many.both(1, "x"), (7, "quiet"))
        double_mock.assert_called_once_with(1)
        shout_mock.assert_called_with("x")

    def test_cleanup(self):
        done = []
        self.addCleanup(done.append, 1)
        self.assertEqual(done, [])
        for number in range(3):
            with self.subTest(number=number):
                self.assertEqual(double(number), number + number)

    @unittest.skipIf(sys.platform == "win32", "not there")
    def test_platform(self):
        self.assertEqual(double(4), 8)


def eventually(check, seconds=2.0):
    end = time.monotonic() + seconds
    while True:
        try:
            check()
            return
        except AssertionError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


def test_polling():
    results = []
    slow(results.append)

    def check():
        assert results == ["done"]

    eventually(check)
    assert results[0] == "done"


def test_pattern_matching():
    match double(2):
        case 4:
            answer = "four"
        case _:
            answer = "other"
    assert answer == "four"
    assert (lambda value: double(value))(3) == 6
    numbers = [*range(3)]
    assert [double(n) for n in numbers] == [n * 2 for n in numbers]
    assert {n: double(n) for n in numbers} == {0: 0, 1: 2, 2: 4}
    total = sum(double(n) for n in numbers)
    assert total == 6
    first, *rest = (double(n) for n in numbers)
    assert (first, rest) == (0, [2, 4])
    assert f"{double(2)!r:>3}" == "  4"


@functools.lru_cache
def expected_double(number):
    return number + number


def test_own_oracle():
    for number in (1, 7, -3):
        assert double(number) == expected_double(number)
    spaces = types.SimpleNamespace(value=double(3))
    assert spaces.value == 6
    assert spaces == types.SimpleNamespace(value=6)


def test_account():
    account = Account(10)
    before = account.balance
    account.pay(3)
    assert account.balance == before - 3
    assert account.history == [("pay", 3)]
    assert account != Account(7)
    other = Account(10)
    other.pay(3)
    assert account == other
    assert account.balance == other.balance == 7
