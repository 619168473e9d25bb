import pytest

from web.headers import Headers, Lazy, Name


def test_names_ignore_case():
    assert Name("Content-Type") == "content-type"
    assert Name("Content-Type") != "accept"
    assert Name("a") == Name("A")
    assert len({Name("a"), Name("A")}) == 1


def test_a_name_is_written_as_it_was_given():
    assert str(Name("Content-Type")) == "Content-Type"
    assert f"{Name('Accept')}: x" == "Accept: x"
    assert isinstance(Name("a"), str)


@pytest.fixture
def headers():
    return Headers([("Accept", "text/html"), ("accept", "text/plain"), ("Host", "example.org")])


def test_headers_are_found_by_any_spelling(headers):
    assert headers["ACCEPT"] == "text/html"
    assert headers.all("accept") == ["text/html", "text/plain"]
    assert "host" in headers
    assert "cookie" not in headers


def test_headers_have_a_length_and_an_order(headers):
    assert len(headers) == 3
    assert list(headers) == ["Accept", "accept", "Host"]
    assert headers
    assert not Headers([])


def test_headers_are_equal_to_plain_dictionaries():
    assert Headers([("Host", "a")]) == {"host": "a"}
    assert not Headers([("Host", "a")]) == {"host": "b"}


def test_a_missing_header_is_an_error(headers):
    with pytest.raises(KeyError):
        headers["cookie"]


def test_a_lazy_value_is_made_when_it_is_used():
    made = []

    def make():
        made.append(1)
        return "text"

    lazy = Lazy(make)
    assert made == []
    assert lazy.upper() == "TEXT"
    assert lazy == "text"
    assert made == [1]
