enum E {
    A, C, B
}
