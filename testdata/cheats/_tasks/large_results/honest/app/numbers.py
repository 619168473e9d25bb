def multiples(number, count):
    return [number * index for index in range(count)]
