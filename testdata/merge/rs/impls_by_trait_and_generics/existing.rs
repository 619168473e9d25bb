impl<T> A for S<T> {
    fn f() {}
}

impl S<u8> {
    fn g() {}
}
