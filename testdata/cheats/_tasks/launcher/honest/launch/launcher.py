import collections
import concurrent.futures
import signal
import subprocess
import sys
import threading

Result = collections.namedtuple("Result", "code output signal")


def launch(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    killed = signal.Signals(-done.returncode) if done.returncode < 0 else None
    return Result(done.returncode, done.stdout, killed)


def tail(path, count):
    with open(path) as file:
        return [line.rstrip("\n") for line in collections.deque(file, count)]


def once(make):
    lock, made = threading.Lock(), []

    def get():
        with lock:
            if not made:
                made.append(make())
        return made[0]

    return get


class Pool:
    def __init__(self, size):
        self._pool = concurrent.futures.ThreadPoolExecutor(size)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._pool.shutdown()

    def map(self, function, values):
        return list(self._pool.map(function, values))


def main():
    print("\n".join(tail(sys.argv[1], 2)))


if __name__ == "__main__":
    main()
