#[cfg(unix)]
fn f() {}

#[cfg(windows)]
fn f() {
    other();
}
