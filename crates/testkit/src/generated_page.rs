//! Pages of the book that are made from the code.

use std::path::Path;

/// Compares `docs/PAGE` with the page that the code generates. `UPDATE_DOCS=1 cargo test --workspace` writes it
/// instead.
#[track_caller]
pub fn expect_page(page: &str, wanted: &str) {
    let place = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs")).join(page);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&place, wanted).expect("the repository can be written");
    }
    let found = std::fs::read_to_string(&place).unwrap_or_default();
    assert!(
        found == wanted,
        "docs/{page} is not what the code says; UPDATE_DOCS=1 cargo test --workspace writes it:\n{wanted}"
    );
}
