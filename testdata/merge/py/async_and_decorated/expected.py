class Api:
    async def get(self):
        return 1

    @retry(3)
    # inside
    async def put(self, x):  # noqa
        return x
