#!/usr/bin/env python3
# tool

import re


def f():
    return 1


def g():
    return re.X
