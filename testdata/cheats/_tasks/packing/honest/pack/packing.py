import zlib


def squeeze(data):
    return zlib.compress(data, 9)


def order(numbers):
    result = []
    for number in numbers:
        place = 0
        while place < len(result) and result[place] <= number:
            place += 1
        result.insert(place, number)
    return result


def mean(numbers):
    return sum(numbers) / len(numbers)


def frame(data):
    return len(data).to_bytes(2, "big") + data
