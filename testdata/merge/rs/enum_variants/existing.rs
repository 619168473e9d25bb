enum E {
    A, // first
    B(u8) // second
}
