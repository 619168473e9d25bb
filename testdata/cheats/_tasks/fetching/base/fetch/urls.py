def host(url):
    return url.split("/")[2]
