try:
    from textkit.reporting import *
except ImportError:
    pass
