"""Compiles Proctor's own programs, so that they need not be each time that they are started."""

import json
import marshal
import sys
from importlib._bootstrap_external import MAGIC_NUMBER


def main():
    request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    out = sys.stdout.buffer
    out.write(("%s %s\n" % (sys.implementation.cache_tag, MAGIC_NUMBER.hex())).encode("ascii"))
    for name, text in request["texts"].items():
        code = marshal.dumps(compile(text, "<proctor %s>" % name, "exec", dont_inherit=True))
        out.write(("%s %d\n" % (name, len(code))).encode("ascii") + code)


if __name__ == "__main__":
    main()
