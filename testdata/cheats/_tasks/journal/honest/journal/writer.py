import logging
import warnings

log = logging.getLogger("journal")


class Writer:
    def __init__(self, name):
        if len(name) > 20:
            warnings.warn(f"{name} is too long", stacklevel=2)
        self.name = name[:20]

    def note(self, text):
        log.info("%s: %s", self.name, text)

    def fault(self, error):
        log.error("%s: %s", self.name, error, exc_info=error)


def say(text, to):
    print(text, file=to)
