import pytest

from aiostream import pipe, stream
from aiostream.counting import count, tally
from aiostream.test_utils import add_resource


@pytest.mark.asyncio
async def test_count(assert_run, assert_cleanup):
    with assert_cleanup():
        xs = stream.range(5) | add_resource.pipe(1) | count.pipe()
        await assert_run(xs, [5])
    with assert_cleanup():
        xs = stream.empty() | add_resource.pipe(1) | count.pipe()
        await assert_run(xs, [0])


@pytest.mark.asyncio
async def test_tally():
    assert await tally(stream.iterate("abca")) == {"a": 2, "b": 1, "c": 1}


@pytest.mark.asyncio
@pytest.mark.parametrize("wanted", [1, 3], ids=["one item", "three items"])
async def test_count_of_a_part(wanted):
    assert await (stream.range(9) | pipe.take(wanted) | count.pipe()) == wanted
