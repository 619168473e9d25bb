from conf.keys import key


def test_key():
    assert key(" Log Level ") == "log_level"
