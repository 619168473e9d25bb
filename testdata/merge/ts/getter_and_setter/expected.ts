class A {
  get x() {
    return 1;
  }

  set x(v) {
    this.v = v;
  }
}
