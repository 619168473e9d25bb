//! The user's pager, for what is too long for a screen.

use std::io::{self, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Command, Stdio};

/// Used where the user names none; `-R` shows colours.
const USUAL_PAGER: &str = "less -R";

/// Shows a text in the user's pager on `screen`, and waits until it is closed.
pub fn page(text: &str, pager: Option<&str>, screen: impl AsFd) -> io::Result<()> {
    let words = pager
        .and_then(|pager| shell_words::split(pager).ok())
        .filter(|words| !words.is_empty())
        .unwrap_or_else(|| USUAL_PAGER.split(' ').map(str::to_owned).collect());
    let screen: OwnedFd = screen.as_fd().try_clone_to_owned()?;
    #[expect(
        clippy::disallowed_methods,
        reason = "this module is the place that starts processes"
    )]
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::piped())
        .stdout(screen)
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // Who closes the pager early has seen enough.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait().map(drop)
}
