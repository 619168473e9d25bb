class A {
    A() {
    }

    A(int x, String... y) {
    }
}
