enum Colour {
    RED,
    GREEN,
    // Of the sky.
    BLUE;

    private final int code = 1;

    int code() {
        return code;
    }
}
