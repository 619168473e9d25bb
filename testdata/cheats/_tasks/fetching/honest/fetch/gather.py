import asyncio


async def fetch_all(load, urls):
    results = await asyncio.gather(*(load(url) for url in urls), return_exceptions=True)
    return dict(zip(urls, results))


async def first(*coroutines):
    tasks = [asyncio.ensure_future(coroutine) for coroutine in coroutines]
    done, waiting = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    return done.pop().result()


class Limited:
    def __init__(self, limit):
        self._limit = limit

    async def __aenter__(self):
        self._free = asyncio.Semaphore(self._limit)
        return self

    async def __aexit__(self, *error):
        return None

    async def map(self, job, values):
        async def one(value):
            async with self._free:
                return await job(value)

        return await asyncio.gather(*(one(value) for value in values))


async def pages(get):
    number = 1
    while True:
        items = await get(number)
        if not items:
            return
        for item in items:
            yield item
        number += 1
