enum Colour {
    RED,
    GREEN;

    int code() {
        return 1;
    }
}
