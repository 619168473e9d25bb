from textkit.sentences import sentences

TEXT = "One. Two! Three?"


def test_sentences_begin_with_a_capital():
    for sentence in sentences(TEXT):
        assert sentence[0].isupper()
        assert sentence[-1] in ".!?"


def test_sentences_are_parts_of_the_text():
    found = sentences(TEXT)
    assert all(sentence in TEXT for sentence in found)
    assert len(found) <= 3
