def key(name):
    return name.strip().lower().replace(" ", "_")
