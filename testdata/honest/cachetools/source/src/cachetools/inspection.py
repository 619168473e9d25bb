"""Looking at a cache without changing it."""


def fill_level(cache):
    """Which part of the cache is in use; one without room is full."""
    return cache.currsize / cache.maxsize if cache.maxsize else 1.0


def coldest(cache):
    """The key that an LRU cache would give up next."""
    entries = dict(cache.items())
    if not entries:
        raise KeyError("the cache is empty")
    key, value = cache.popitem()
    entries.pop(key)
    others = list(entries)
    # Back to where it was: before everything else.
    cache[key] = value
    for other in others:
        cache[other]
    return key
