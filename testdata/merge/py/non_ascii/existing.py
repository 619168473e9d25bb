class Straße:
    ä = 'ö'
