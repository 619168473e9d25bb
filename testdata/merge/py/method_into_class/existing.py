import os


class Stack:
    """A stack."""

    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)


def main():
    print(Stack())


if __name__ == "__main__":
    main()
