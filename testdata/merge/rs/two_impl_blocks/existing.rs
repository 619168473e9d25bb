struct S;

impl S {
    fn a() {}
}

impl S {
    fn b() {}
}
