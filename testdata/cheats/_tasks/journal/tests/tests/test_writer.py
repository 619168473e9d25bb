import contextlib
import io
import logging
import sys
import unittest
import warnings

import pytest

from journal.writer import Writer, say


def test_entries_are_logged(caplog):
    with caplog.at_level(logging.INFO, logger="journal"):
        Writer("box").note("opened")
    assert [record.getMessage() for record in caplog.records] == ["box: opened"]
    assert caplog.record_tuples == [("journal", logging.INFO, "box: opened")]
    assert "opened" in caplog.text


def test_faults_are_logged_with_their_cause(caplog):
    try:
        1 / 0
    except ZeroDivisionError as error:
        Writer("box").fault(error)
    record = caplog.records[-1]
    assert record.levelname == "ERROR"
    assert record.exc_info[0] is ZeroDivisionError


def test_it_speaks(capsys):
    say("hello", to=None)
    say("oh", to=sys.stderr)
    out, err = capsys.readouterr()
    assert out == "hello\n"
    assert err == "oh\n"


def test_it_speaks_into_any_stream():
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        say("hello", to=None)
    assert stream.getvalue() == "hello\n"


def test_long_names_are_warned_about():
    with pytest.warns(UserWarning, match="too long") as caught:
        writer = Writer("x" * 50)
    assert len(caught) == 1
    assert writer.name == "x" * 20


def test_short_names_are_not(recwarn):
    assert Writer("short").name == "short"
    assert len(recwarn) == 0


def test_warnings_can_be_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            Writer("x" * 50)


class WriterTest(unittest.TestCase):
    def test_entries_are_logged(self):
        with self.assertLogs("journal", "INFO") as logs:
            Writer("box").note("closed")
        self.assertEqual(logs.output, ["INFO:journal:box: closed"])
