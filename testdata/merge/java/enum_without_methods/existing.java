enum E {
    A, B
}
