collected = []
