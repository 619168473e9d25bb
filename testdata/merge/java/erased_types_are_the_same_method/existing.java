class A {
    void f(List<String> x) {
        a();
    }
}
