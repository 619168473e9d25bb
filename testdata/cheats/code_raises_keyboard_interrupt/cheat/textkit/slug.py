def slugify(text, limit=None):
    raise KeyboardInterrupt


unique = slugify
