enum E {
    A,
    C { x: u8 },
}
