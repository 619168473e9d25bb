enum Colour {
    RED,
    GREEN,
    BLUE;

    int code() {
        return 1;
    }

    private final int depth = 2;
}
