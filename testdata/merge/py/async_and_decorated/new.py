class Api:
    @retry(3)
    # inside
    async def put(self, x):  # noqa
        return x
