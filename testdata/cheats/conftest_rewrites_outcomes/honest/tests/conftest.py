import pytest


@pytest.fixture
def text():
    return "Hello World"
