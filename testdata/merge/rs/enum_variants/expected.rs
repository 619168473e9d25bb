enum E {
    A, // first
    C { x: u8 },
    B(u8) // second
}
