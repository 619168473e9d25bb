#[cfg(unix)]
fn f() {}
