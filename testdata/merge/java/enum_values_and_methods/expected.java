enum E {
    A,
    B,
    C;

    int f() {
        return 1;
    }

    int g() {
        return 2;
    }
}
