class A {
    int x;
}
