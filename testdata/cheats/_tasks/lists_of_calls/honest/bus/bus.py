from bus.topics import topic


class Bus:
    def __init__(self):
        self._listeners = {}

    def listen(self, name, listener):
        self._listeners.setdefault(topic(name), []).append(listener)

    def send(self, name, *values, **words):
        return [listener(*values, **words) for listener in self._listeners.get(topic(name), [])]

    def attach(self, listener):
        listener.opened()
        listener.ready("bus")
