//! Every process in the log that `PROCTOR_LOG=debug` asks for: how it ended, how long it took, its words.
//!
//! The words are masked like everything else that may hold a key, and invisible characters are spelled out. The
//! environment, where keys belong, is not in the log.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::Path;
use std::time::Instant;

use proctor_core::secrets::mask_secrets;
use proctor_core::visible::escape;
use tracing::Level;

/// A prompt can be an argument; more of it says nothing about the call.
const LONGEST: usize = 2000;

/// One process, from its start to its end.
pub(super) struct Call {
    words: Option<String>,
    started: Instant,
}

impl Call {
    pub(super) fn of(program: &Path, arguments: &[OsString]) -> Self {
        let words = tracing::enabled!(Level::DEBUG).then(|| words(program, arguments));
        if let Some(words) = &words {
            tracing::trace!("starting {words}");
        }
        Self {
            words,
            started: Instant::now(),
        }
    }

    pub(super) fn ended(&self, how: &dyn Display) {
        if let Some(words) = &self.words {
            let milliseconds = self.started.elapsed().as_millis();
            tracing::debug!("{how} after {milliseconds} ms: {words}");
        }
    }
}

fn words(program: &Path, arguments: &[OsString]) -> String {
    let arguments = arguments.iter().map(|argument| argument.to_string_lossy());
    let all = shell_words::join(std::iter::once(program.to_string_lossy()).chain(arguments));
    let masked = mask_secrets(&all);
    let mut shown = masked.chars();
    let mut text: String = shown.by_ref().take(LONGEST).collect();
    let left = shown.count();
    if left > 0 {
        text = format!("{text}… and {left} characters more");
    }
    escape(text.as_bytes()).text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(arguments: &[&str]) -> String {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        words(Path::new("/usr/bin/git"), &arguments)
    }

    #[test]
    fn words_are_quoted_and_nothing_in_them_acts_on_a_terminal() {
        assert_eq!(
            shown(&["log", "a b", "\x1b[2J"]),
            r"/usr/bin/git log 'a b' '\x1b[2J'"
        );
    }

    #[test]
    fn a_key_among_the_words_is_masked_also_where_the_log_would_cut_it() {
        let key = format!("ghp_{}", "0aB1cD2eF3gH4iJ5kL6m".repeat(2).split_at(36).0);
        assert!(!shown(&["push", &key]).contains(&key[..12]));
        let filler = "x".repeat(LONGEST - 40);
        let long = shown(&[&filler, &key, &"y".repeat(100)]);
        assert!(!long.contains("ghp_0aB1"), "{long}");
        assert!(long.ends_with(" characters more"), "{long}");
    }
}
