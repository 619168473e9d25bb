impl S<u8> {
    fn h() {}
}

impl B for S<u8> {
    fn f() {}
}
