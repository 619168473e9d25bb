mod shop {
    // Called often.
    #[inline]
    // Not at night.
    #[must_use]
    fn price() -> u32 {
        1
    }

    fn open() -> bool {
        true
    }
}
