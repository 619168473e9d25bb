from app.double import double

RESULT = double(21)
assert RESULT == 42
