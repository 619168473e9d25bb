enum Colour {
    RED,
    GREEN
}
