class Stack:
    def push(self, item):
        self.items.append(item)

    # Takes the last one off.
    def pop(self):
        return self.items.pop()
