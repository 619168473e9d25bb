class A {
  int x;
  String y = """
        a
      b
        """;
}
