from textkit.words import keywords


def test_long_words_are_keywords():
    found = keywords("The quick brown fox")
    assert "quick" in found
    assert "brown" in found


def test_case_is_ignored():
    assert "london" in keywords("LONDON calling")
