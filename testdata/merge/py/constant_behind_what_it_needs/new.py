TABLE = make()
