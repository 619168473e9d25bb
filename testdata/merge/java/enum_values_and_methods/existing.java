enum E {
    A,
    B;

    int f() {
        return 1;
    }
}
