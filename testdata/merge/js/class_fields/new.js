class A {
  #y = 2;

  static z = 3;

  set x(v) {
    this.#x = v;
  }
}
