//! The files that a patch of Codex's names.

use std::path::PathBuf;

const HEADERS: [&str; 4] = [
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
];

/// Every file that is added, changed, removed or moved to; none where the text holds no patch.
pub(super) fn patched_files(text: &str) -> Vec<PathBuf> {
    if !text.contains("*** Begin Patch") {
        return Vec::new();
    }
    let named = |line: &str| {
        let mut headers = HEADERS.iter();
        headers.find_map(|header| line.strip_prefix(header).map(str::to_owned))
    };
    let files = text.lines().filter_map(named);
    files.map(|name| PathBuf::from(name.trim())).collect()
}
