enum Colour {
    RED,
    GREEN,
    BLUE;

    int code() {
        return 1;
    }
}
