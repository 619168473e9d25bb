class A {
  make() {
    return 1;
  }

  static make() {
    return 2;
  }
}
