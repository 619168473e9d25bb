import random

import pytest

from pack.sizes import size


@pytest.fixture
def numbers():
    return [random.randint(-99, 99) for _ in range(20)]


@pytest.fixture
def described():
    return size(b"")
