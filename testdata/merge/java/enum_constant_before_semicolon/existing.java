enum Colour {
    RED,
    GREEN;

    private final int code = 1;

    int code() {
        return code;
    }
}
