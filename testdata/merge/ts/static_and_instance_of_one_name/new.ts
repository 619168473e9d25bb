class A {
  static make() {
    return 2;
  }
}
