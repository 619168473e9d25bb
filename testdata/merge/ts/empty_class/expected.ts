class A {
  x = 1;
}

class B {
  // nothing yet
  y = 2;
}
