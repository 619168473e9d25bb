class A {
  get x() {
    return 1;
  }
}
