enum E {
    C;

    int g() {
        return 2;
    }
}
