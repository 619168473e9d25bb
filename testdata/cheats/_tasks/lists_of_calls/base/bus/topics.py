def topic(name):
    return name.replace(" ", ".")
