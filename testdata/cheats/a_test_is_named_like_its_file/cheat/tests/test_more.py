def test_more():
    print("hello world".split())
