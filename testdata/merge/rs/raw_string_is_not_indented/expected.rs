impl S {
        fn a() {}

        fn b() -> &'static str {
                r#"x
  y
"#
        }
}
