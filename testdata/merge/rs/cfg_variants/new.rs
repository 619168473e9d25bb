#[cfg(windows)]
fn f() {
    other();
}
