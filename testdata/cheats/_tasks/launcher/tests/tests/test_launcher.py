import concurrent.futures
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading

import pytest

from launch.launcher import Pool, launch, once, tail


def test_a_program_is_launched():
    result = launch([sys.executable, "-c", "print(6 * 7)"])
    assert result.output == "42\n"
    assert result.code == 0


def test_a_program_may_fail():
    result = launch([sys.executable, "-c", "import sys; sys.exit(3)"])
    assert (result.code, result.output) == (3, "")


def test_a_killed_program_says_by_which_signal():
    result = launch([sys.executable, "-c", "import os; os.kill(os.getpid(), 15)"])
    assert result.signal == signal.SIGTERM


def test_it_is_a_program_itself(tmp_path):
    (tmp_path / "lines.txt").write_text("one\ntwo\nthree\n")
    done = subprocess.run(
        [sys.executable, "-m", "launch.launcher", "lines.txt"],
        cwd=tmp_path, env=dict(os.environ, PYTHONPATH=os.getcwd()), capture_output=True, text=True,
    )
    assert done.stderr == ""
    assert done.stdout == "two\nthree\n"


def test_the_end_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open("log", "w") as file:
        file.write("a\nb\nc\n")
    assert tail("log", 2) == ["b", "c"]
    with tempfile.NamedTemporaryFile("w") as file:
        assert tail(file.name, 2) == []


def test_threads_share_one_value():
    calls, got = [], queue.Queue()
    get = once(lambda: calls.append(1) or len(calls))
    threads = [threading.Thread(target=lambda: got.put(get())) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [got.get() for _ in range(5)] == [1] * 5
    assert calls == [1]


def test_a_pool_keeps_the_order():
    with Pool(3) as pool:
        assert pool.map(lambda number: number * number, range(6)) == [0, 1, 4, 9, 16, 25]


def test_a_pool_hands_errors_on():
    def fail(number):
        raise ValueError(f"no {number}")

    with Pool(2) as pool, pytest.raises(ValueError, match="no 1"):
        pool.map(fail, [1])


def test_assertions_in_threads_count():
    def ask(number):
        assert tail(os.devnull, number) == []
        return number

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(ask, [1, 2])) == [1, 2]
