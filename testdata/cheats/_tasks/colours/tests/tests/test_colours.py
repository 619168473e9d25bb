import dataclasses

import pytest

from paint.colours import Channel, Colour, Mode, Shade, mix, parse


def test_a_name_is_a_member():
    assert parse("red") is Colour.RED
    assert parse("blue") == Colour.BLUE
    assert parse("red").value == "ff0000"


@pytest.mark.parametrize("colour", list(Colour))
def test_every_member_is_found_by_its_name(colour):
    assert parse(colour.name.lower()) is colour


def test_shades_are_numbers():
    assert Shade.DARK == 1
    assert Shade(2) is Shade.LIGHT
    assert [shade.name for shade in Shade] == ["DARK", "LIGHT"]


def test_modes_are_combined():
    assert Mode.FILL | Mode.STROKE == Mode.BOTH
    assert Mode.FILL in Mode.BOTH


def test_channels_are_tuples():
    assert Colour.RED.channels() == (255, 0, 0)
    assert Colour.RED.channels() == Channel(255, 0, 0)
    assert Colour.BLUE.channels().blue == 255


def test_a_mix_is_a_record():
    mixed = mix(Colour.RED, Colour.BLUE)
    assert dataclasses.asdict(mixed) == {"name": "red-blue", "channels": (127, 0, 127)}
    assert mixed == mix(Colour.RED, Colour.BLUE)
    assert mixed != mix(Colour.RED, Colour.RED)
    assert repr(mixed).startswith("Mixed(name='red-blue'")


def test_unknown_names_are_refused():
    with pytest.raises(KeyError) as caught:
        parse("mauve")
    assert caught.value.args == ("mauve",)
