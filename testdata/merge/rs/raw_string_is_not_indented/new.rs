impl S {
    fn b() -> &'static str {
        r#"x
  y
"#
    }
}
