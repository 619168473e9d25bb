import json


def dumps(value):
    return json.dumps(value)
