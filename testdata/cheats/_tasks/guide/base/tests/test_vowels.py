from guide.vowels import vowels


def test_vowels():
    assert vowels("queue") == 4
