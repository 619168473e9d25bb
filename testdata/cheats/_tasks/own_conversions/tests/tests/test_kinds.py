from app.kinds import Hex, Permissions


def test_a_hexadecimal_text_is_a_number():
    assert int(Hex("10")) == 16


def test_permissions_cover_others():
    assert Permissions(6) >= Permissions(2)
    assert not Permissions(6) >= Permissions(1)
