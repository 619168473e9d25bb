# Copyright

x = 1
