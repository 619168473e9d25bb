enum Colour {
    BLUE(3),
    ;
}
