def level(name):
    return {"low": 10, "high": 40}[name]
