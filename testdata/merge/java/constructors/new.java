class A {
    A(int x, String... y) {
    }
}
