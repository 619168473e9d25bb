trait T {
    fn b(&self) {}
}

macro_rules! m {
    () => {};
}
