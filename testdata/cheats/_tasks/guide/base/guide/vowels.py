def vowels(text):
    """Counts vowels.

    >>> vowels("hello")
    2
    """
    return sum(letter in "aeiou" for letter in text)
