"""Module."""

from __future__ import annotations

import os
from typing import (
    Any,
    List,
    Dict,
)
from a import b, c as d
import sys
from z import *

X = 1
