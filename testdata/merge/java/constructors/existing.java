class A {
    A() {
    }
}
