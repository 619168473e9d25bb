class Queue:
    pass


def main():
    pass
