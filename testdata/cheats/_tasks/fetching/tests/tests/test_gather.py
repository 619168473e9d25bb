import asyncio
import functools
import unittest

import pytest

from fetch.gather import Limited, fetch_all, first, pages


def asynchronous(function):
    @functools.wraps(function)
    def run(*arguments, **words):
        return asyncio.run(function(*arguments, **words))

    return run


async def load(url):
    await asyncio.sleep(0)
    if "bad" in url:
        raise OSError(url)
    return url.upper()


@asynchronous
async def test_all_are_fetched():
    assert await fetch_all(load, ["a", "b"]) == {"a": "A", "b": "B"}


@asynchronous
async def test_failures_are_kept():
    found = await fetch_all(load, ["a", "bad"])
    assert found["a"] == "A"
    assert isinstance(found["bad"], OSError)
    assert str(found["bad"]) == "bad"


@asynchronous
async def test_the_first_wins():
    async def slow():
        await asyncio.sleep(10)

    async def quick():
        return "quick"

    assert await first(slow(), quick()) == "quick"


@pytest.mark.parametrize(("limit", "most"), [(1, 1), (3, 3), (9, 5)])
def test_not_too_many_at_once(limit, most):
    async def scenario():
        running, seen = 0, []

        async def job(_):
            nonlocal running
            running += 1
            seen.append(running)
            await asyncio.sleep(0.01)
            running -= 1

        async with Limited(limit) as limited:
            await limited.map(job, range(5))
        return max(seen)

    assert asyncio.run(scenario()) == most


class PagesTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.pages = {1: ["a", "b"], 2: ["c"], 3: []}

    async def test_pages_end_with_an_empty_one(self):
        async def get(number):
            return self.pages[number]

        self.assertEqual([item async for item in pages(get)], ["a", "b", "c"])

    async def test_errors_come_through(self):
        async def get(number):
            raise KeyError(number)

        with self.assertRaises(KeyError):
            async for _ in pages(get):
                pass
