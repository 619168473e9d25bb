impl S {
        fn a() {}
}
