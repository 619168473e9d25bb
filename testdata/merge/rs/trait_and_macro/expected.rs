trait T {
    fn a(&self);

    fn b(&self) {}
}

macro_rules! m {
    () => {};
}
