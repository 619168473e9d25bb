def split(line):
    return line.split()
