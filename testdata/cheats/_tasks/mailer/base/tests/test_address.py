from mailer.address import domain


def test_domain():
    assert domain("ann@example.org") == "example.org"
