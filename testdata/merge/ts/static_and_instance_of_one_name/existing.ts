class A {
  make() {
    return 1;
  }
}
