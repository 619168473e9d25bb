from web.status import reason


def test_reason():
    assert reason(404) == "Not Found"
