import contextlib

from app.failures import Failures, fail


def test_failures_are_counted():
    failures = Failures()
    with contextlib.suppress(RuntimeError), failures:
        fail("disk")
    assert failures.seen == ["disk"]
