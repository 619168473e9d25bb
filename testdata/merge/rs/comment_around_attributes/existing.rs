mod shop {
    fn open() -> bool {
        true
    }
}
