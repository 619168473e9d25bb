from fetch.urls import host


def test_host():
    assert host("http://example.org/a") == "example.org"
