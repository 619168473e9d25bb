import asyncio
import subprocess
import sys
import threading

import pytest

from jobs.queue import Queue, main


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 10))


def test_jobs_are_run_in_order():
    async def scenario():
        done = []
        queue = Queue()
        for number in (1, 2, 3):
            queue.put(lambda number=number: done.append(number))
        await queue.drain()
        return done

    assert run(scenario()) == [1, 2, 3]


def test_a_failed_job_is_kept():
    async def scenario():
        queue = Queue()
        queue.put(lambda: 1 / 0)
        await queue.drain()
        assert [type(error) for error in queue.failed.values()] == [ZeroDivisionError]
        assert list(queue.failed) == ["job-1"]

    run(scenario())


def test_jobs_may_come_from_threads():
    queue = Queue()
    threads = [threading.Thread(target=queue.put, args=(print,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(queue) == 8


def test_the_program_prints_and_ends(capsys, monkeypatch):
    monkeypatch.setenv("JOBS", "2")
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 0
    assert capsys.readouterr().out.splitlines() == ["job-1", "job-2"]


def test_it_can_be_started():
    ended = subprocess.run(
        [sys.executable, "-m", "jobs.queue"], stdout=subprocess.PIPE, env={"JOBS": "1"}, text=True
    )
    assert (ended.returncode, ended.stdout) == (0, "job-1\n")


@pytest.mark.parametrize("jobs", ["0", "3", "-1"])
def test_the_number_of_jobs_is_checked(jobs, monkeypatch, capsys):
    monkeypatch.setenv("JOBS", jobs)
    if jobs == "-1":
        with pytest.raises(SystemExit, match="JOBS"):
            main()
    else:
        try:
            main()
        except SystemExit as ended:
            if ended.code:
                pytest.fail(f"ended with {ended.code}")
