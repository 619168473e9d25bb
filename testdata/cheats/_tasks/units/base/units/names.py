def full(name):
    return {"m": "metre", "s": "second"}[name]
