import os


class Stack:
    """A stack."""

    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    # Takes the last one off.
    def pop(self):
        return self.items.pop()


def main():
    print(Stack())


if __name__ == "__main__":
    main()
