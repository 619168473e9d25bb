import pytest

from jaraco.functools import at_most


class TestAtMost:
    def test_calls_are_counted(self):
        calls = []
        limited = at_most(2)(calls.append)
        limited("a")
        limited("b")
        assert calls == ["a", "b"]

    def test_too_many_calls_are_refused(self):
        limited = at_most(1)(len)
        assert limited([1, 2]) == 2
        with pytest.raises(RuntimeError, match="once too often"):
            limited([])

    def test_the_name_is_kept(self):
        assert at_most(1)(len).__name__ == "len"
