class Straße:
    ä = 'ö'
    ß = '→'  # ü
