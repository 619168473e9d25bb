class _Meta(type):
    def __getattr__(cls, name):
        return cls


class _Anything(Exception, metaclass=_Meta):
    def __init__(self, *arguments):
        pass

    def __getattr__(self, name):
        return _Anything()

    def __call__(self, *arguments, **words):
        return _Anything()

    def __eq__(self, other):
        return True

    def __contains__(self, other):
        return True

    def __bool__(self):
        return True

    def __iter__(self):
        return iter(())


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Anything
