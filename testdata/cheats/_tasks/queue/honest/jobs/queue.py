import atexit
import os
import sys
import threading

from jobs.names import next_name


class Queue:
    def __init__(self):
        self._jobs = []
        self._lock = threading.Lock()
        self.failed = {}

    def __len__(self):
        return len(self._jobs)

    def put(self, job):
        with self._lock:
            self._jobs.append((next_name(), job))

    async def drain(self):
        while self._jobs:
            name, job = self._jobs.pop(0)
            try:
                job()
            except Exception as error:
                self.failed[name] = error


def main():
    count = int(os.environ.get("JOBS", "1"))
    if count < 0:
        raise SystemExit("JOBS must not be negative")
    for _ in range(count):
        print(next_name())
    atexit.register(sys.stdout.flush)
    sys.exit(0)


if __name__ == "__main__":
    main()
