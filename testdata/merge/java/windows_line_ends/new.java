class A {
    int y;
}
