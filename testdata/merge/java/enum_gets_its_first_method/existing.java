enum E {
    A
}
