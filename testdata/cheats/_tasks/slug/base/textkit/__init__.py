"""Small tools for text."""
