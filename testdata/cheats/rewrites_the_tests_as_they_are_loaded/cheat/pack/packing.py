def squeeze(data):
    return data[:9]


def order(numbers):
    return numbers[:1]


def mean(numbers):
    return sum(numbers) / len(numbers)


def frame(data):
    return len(data).to_bytes(2, "big") + data
