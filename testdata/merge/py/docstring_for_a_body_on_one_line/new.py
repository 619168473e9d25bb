class A:
    """Words."""
