import asyncio
from unittest import mock

import pytest

from mailer import outbox
from mailer.outbox import Outbox, Undeliverable


@pytest.fixture
def server():
    return mock.Mock(spec=["send", "quit"])


def test_mail_is_sent_to_everybody(server):
    Outbox(server).post(["a@x.org", "b@y.org"], "hi")
    assert [call.args for call in server.send.call_args_list] == [("x.org", "a@x.org", "hi"), ("y.org", "b@y.org", "hi")]
    server.quit.assert_called_once_with()


def test_calls_come_in_order(server):
    Outbox(server).post(["a@x.org"], "hi")
    server.assert_has_calls([mock.call.send("x.org", "a@x.org", "hi"), mock.call.quit()])


def test_it_is_tried_again(server):
    server.send.side_effect = [OSError, None]
    assert Outbox(server).post(["a@x.org"], "hi") == 2
    assert server.send.call_count == 2


def test_it_gives_up(server):
    server.send.side_effect = OSError("down")
    with pytest.raises(Undeliverable, match="a@x.org"):
        Outbox(server, attempts=3).post(["a@x.org"], "hi")
    assert server.send.call_count == 3
    server.quit.assert_not_called()


@mock.patch("mailer.outbox.pause")
def test_it_waits_between_attempts(pause, server):
    server.send.side_effect = [OSError, OSError, None]
    Outbox(server, attempts=3).post(["a@x.org"], "hi")
    assert [call.args for call in pause.call_args_list] == [(1,), (2,)]


def test_names_are_looked_up():
    with mock.patch.object(outbox, "domain", return_value="z.org") as lookup:
        server = mock.MagicMock()
        Outbox(server).post(["a@x.org"], "hi")
    lookup.assert_called_once_with("a@x.org")
    server.send.assert_called_once_with("z.org", "a@x.org", mock.ANY)


def test_it_can_be_awaited():
    server = mock.AsyncMock()
    asyncio.run(outbox.post_later(server, "a@x.org", "hi"))
    server.send.assert_awaited_once_with("x.org", "a@x.org", "hi")
