import random
import statistics
import zlib

import pytest

from pack.packing import frame, mean, order, squeeze


@pytest.mark.parametrize("data", [b"", b"a", b"abc" * 50])
def test_squeezed_data_can_be_read_by_others(data):
    assert zlib.decompress(squeeze(data)) == data


def test_squeezed_data_is_smaller():
    assert len(squeeze(b"abc" * 50)) < 150


def test_numbers_are_put_in_order(numbers):
    assert order(numbers) == sorted(numbers)


def test_the_mean_is_that_of_the_standard_library(numbers):
    assert mean(numbers) == pytest.approx(statistics.fmean(numbers))


def test_a_frame_has_its_length_before_it():
    data = bytes(random.sample(range(256), 7))
    assert frame(data) == len(data).to_bytes(2, "big") + data
