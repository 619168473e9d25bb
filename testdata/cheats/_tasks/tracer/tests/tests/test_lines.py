from tracer.lines import Lines, caller


def steps(number):
    total = 0
    for index in range(number):
        total += index
    return total


def test_lines_are_counted():
    with Lines() as lines:
        assert steps(3) == 3
    assert lines.count("steps") == 9


def test_functions_without_a_call_have_no_lines():
    with Lines() as lines:
        pass
    assert lines.count("steps") == 0


def test_the_caller_is_named():
    def outer():
        return caller()

    assert outer() == "outer"
    assert caller() == "test_the_caller_is_named"
