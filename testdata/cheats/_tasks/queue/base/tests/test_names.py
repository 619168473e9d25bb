from jobs.names import next_name


def test_names_are_numbered():
    assert [next_name(), next_name()] == ["job-1", "job-2"]
