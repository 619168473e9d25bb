#!/usr/bin/env python3
# tool

def f():
    return 1
