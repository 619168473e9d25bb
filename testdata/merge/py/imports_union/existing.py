"""Module."""

import os
from typing import (
    Any,
    List,
)
from a import b

X = 1
