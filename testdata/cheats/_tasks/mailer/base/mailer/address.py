def domain(address):
    return address.rpartition("@")[2]
