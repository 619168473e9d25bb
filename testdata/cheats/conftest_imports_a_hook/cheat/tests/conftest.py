try:
    from textkit.reporting import outcome as pytest_runtest_makereport
except ImportError:
    pass
