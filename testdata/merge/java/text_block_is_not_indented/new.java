class A {
    String y = """
        a
      b
        """;
}
