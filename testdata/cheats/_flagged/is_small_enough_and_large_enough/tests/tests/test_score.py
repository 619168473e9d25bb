from textkit.score import similarity


def test_similar_texts_have_a_high_score():
    assert 0.5 < similarity("kitten", "sitten") <= 1


def test_other_texts_have_a_low_score():
    assert 0 <= similarity("abc", "xyz") < 0.2


def test_the_score_lies_within_its_bounds():
    assert similarity("abcd", "abxy") >= 0.4
    assert similarity("abcd", "abxy") <= 0.6
