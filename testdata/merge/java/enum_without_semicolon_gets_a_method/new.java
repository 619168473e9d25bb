enum Colour {
    BLUE;

    int code() {
        return 1;
    }
}
