trait T {
    fn a(&self);
}
