def half(number):
    if not isinstance(number, int):
        raise TypeError("a number is needed")
    if number % 2:
        raise ValueError(f"{number} is odd")
    return number // 2
