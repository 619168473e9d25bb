"""Is started by a test."""

import sys

from app.double import double

assert double(2) == 4, "twice two"
print(double(int(sys.argv[1])))
