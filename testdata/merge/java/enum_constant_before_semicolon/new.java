enum Colour {
    // Of the sky.
    BLUE;
}
