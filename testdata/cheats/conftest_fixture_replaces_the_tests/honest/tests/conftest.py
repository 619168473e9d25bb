import pytest


@pytest.fixture(autouse=True)
def prepared(request, monkeypatch):
    monkeypatch.setenv("TEST_NAME", request.node.name)
    yield
