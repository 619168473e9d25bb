class A {
    void f(List<Integer> x) {
        b();
    }
}
