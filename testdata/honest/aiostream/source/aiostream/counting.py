"""Counting operators."""

from __future__ import annotations

from collections import Counter
from typing import Any, AsyncIterable, AsyncIterator

from .core import pipable_operator, streamcontext

__all__ = ["count", "tally"]


@pipable_operator
async def count(source: AsyncIterable[Any]) -> AsyncIterator[int]:
    """Generate how many items an asynchronous sequence has."""
    total = 0
    async with streamcontext(source) as streamer:
        async for _ in streamer:
            total += 1
    yield total


async def tally(source: AsyncIterable[Any]) -> dict[Any, int]:
    """How often each item occurs."""
    counter: Counter[Any] = Counter()
    async with streamcontext(source) as streamer:
        async for item in streamer:
            counter[item] += 1
    return dict(counter)
