class A {}

class B {
  // nothing yet
}
