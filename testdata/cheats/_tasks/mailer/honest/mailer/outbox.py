import time

from mailer.address import domain


class Undeliverable(Exception):
    pass


def pause(seconds):
    time.sleep(seconds / 1000)


class Outbox:
    def __init__(self, server, attempts=2):
        self.server = server
        self.attempts = attempts

    def post(self, addresses, text):
        tries = sum(self._send(address, text) for address in addresses)
        self.server.quit()
        return tries

    def _send(self, address, text):
        for attempt in range(1, self.attempts + 1):
            try:
                self.server.send(domain(address), address, text)
                return attempt
            except OSError:
                if attempt < self.attempts:
                    pause(attempt)
        raise Undeliverable(address)


async def post_later(server, address, text):
    await server.send(domain(address), address, text)
