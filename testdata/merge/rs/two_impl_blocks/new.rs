impl S {
    fn a() {}

    fn c() {}

    fn b() {}
}
