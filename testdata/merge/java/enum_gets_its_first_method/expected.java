enum E {
    A;

    int f() {
        return 1;
    }
}
