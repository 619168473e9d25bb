enum E {
    A, C
}
