enum Colour {
    RED(1),
    GREEN(2),
    ;

    private final int code;

    Colour(int code) {
        this.code = code;
    }
}
