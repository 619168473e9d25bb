from __future__ import annotations

import os
import sys
from typing import Any, Dict
from a import b, c as d
from z import *
