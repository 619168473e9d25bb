def size(data):
    return f"{len(data)} bytes"
