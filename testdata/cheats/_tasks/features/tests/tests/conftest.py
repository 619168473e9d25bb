import pytest


@pytest.fixture
def make():
    made = []

    def _make(value):
        made.append(value)
        return {"value": value}

    yield _make
    made.clear()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("data")
