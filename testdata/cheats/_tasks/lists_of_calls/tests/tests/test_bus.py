import unittest
from unittest.mock import MagicMock, Mock, call, patch, sentinel

from bus.bus import Bus


def test_listeners_are_called_in_order():
    listener = Mock()
    bus = Bus()
    bus.listen("a", listener)
    bus.send("a", 1)
    bus.send("a", 2, urgent=True)
    assert listener.call_args_list == [call(1), call(2, urgent=True)]
    assert listener.mock_calls == [call(1), call(2, urgent=True)]


def test_the_last_call():
    listener = Mock(return_value=None)
    bus = Bus()
    bus.listen("a", listener)
    bus.send("a", "x", urgent=False)
    assert listener.call_args == call("x", urgent=False)
    assert listener.call_args[0] == ("x",)
    assert listener.call_args.kwargs == {"urgent": False}
    assert listener.call_args == (("x",), {"urgent": False})
    args, kwargs = listener.call_args
    assert args == ("x",)


def test_methods_of_a_listener_are_found():
    listener = MagicMock()
    Bus().attach(listener)
    assert listener.method_calls == [call.opened(), call.ready("bus")]
    assert call.ready("bus") in listener.mock_calls


def test_answers_are_collected():
    one, other = Mock(return_value=sentinel.one), Mock(side_effect=lambda value: value + 1)
    bus = Bus()
    bus.listen("a", one)
    bus.listen("a", other)
    assert bus.send("a", 1) == [sentinel.one, 2]


class BusTest(unittest.TestCase):
    def setUp(self):
        patcher = patch("bus.bus.topic", side_effect=str.upper)
        self.topic = patcher.start()
        self.addCleanup(patcher.stop)

    def test_topics_are_translated(self):
        listener = Mock()
        bus = Bus()
        bus.listen("a", listener)
        bus.send("a", 5)
        self.assertEqual(self.topic.call_args_list, [call("a"), call("a")])
        listener.assert_called_once_with(5)
        self.assertEqual(listener.call_count, 1)
        self.assertTrue(listener.called)
