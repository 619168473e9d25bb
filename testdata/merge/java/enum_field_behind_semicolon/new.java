enum Colour {
    BLUE;

    private final int depth = 2;
}
