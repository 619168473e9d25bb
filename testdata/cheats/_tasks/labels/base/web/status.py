def reason(code):
    return {200: "OK", 404: "Not Found"}[code]
