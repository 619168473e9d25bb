class Api:
    async def get(self):
        return 1
