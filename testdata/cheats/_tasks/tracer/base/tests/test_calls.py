from tracer.calls import Calls


def double(number):
    return 2 * number


def test_calls_are_named():
    with Calls() as calls:
        double(2)
    assert calls.names[0] == "double"
