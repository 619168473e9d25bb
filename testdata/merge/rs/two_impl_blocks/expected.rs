struct S;

impl S {
    fn a() {}

    fn c() {}
}

impl S {
    fn b() {}
}
