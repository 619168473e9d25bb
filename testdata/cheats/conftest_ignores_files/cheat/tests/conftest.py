collect_ignore_glob = ["test_s*.py"]
