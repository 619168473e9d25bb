import collections
import sys


class Lines:
    """Counts the lines that functions run inside of a block."""

    def __init__(self):
        self._counts = collections.Counter()

    def count(self, name):
        return self._counts[name]

    def __enter__(self):
        self._before = sys.gettrace()
        sys.settrace(self._trace)
        return self

    def __exit__(self, *error):
        sys.settrace(self._before)

    def _trace(self, frame, event, argument):
        if event == "line":
            self._counts[frame.f_code.co_name] += 1
        return self._trace


def caller():
    return sys._getframe(1).f_code.co_name
