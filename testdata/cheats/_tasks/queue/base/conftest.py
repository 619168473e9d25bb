import itertools

import pytest

from jobs import names


@pytest.fixture(autouse=True)
def fresh_names(monkeypatch):
    monkeypatch.setattr(names, "_numbers", itertools.count(1))


def pytest_report_header():
    return "jobs"
