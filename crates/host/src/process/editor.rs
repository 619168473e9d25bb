//! The person's editor, for words that are longer than a line.
//!
//! It comes from the person's environment alone: a repository's configuration could name any program. It runs in a
//! directory of its own, so that no file of the repository configures it either.

use std::io::{self, Read as _, Write as _};
use std::process::Command;

use super::call::Call;
use super::{Environment, variable};

/// More than anyone writes; the rest is not read.
const LONGEST_TEXT: u64 = 1 << 20;

/// A program that changes a file.
#[derive(Debug, Clone)]
pub struct Editor {
    words: Vec<String>,
}

impl Editor {
    /// `VISUAL`, else `EDITOR`; words are split as a shell would, and no shell is started.
    pub fn of(environment: &Environment) -> Option<Self> {
        let named = ["VISUAL", "EDITOR"].into_iter();
        let named = named.filter_map(|name| variable(environment, name)?.to_str());
        let text = named.into_iter().find(|text| !text.is_empty())?;
        let words = shell_words::split(text).ok()?;
        (!words.is_empty()).then_some(Self { words })
    }

    /// Opens a text in the editor, and waits; the text afterwards. An editor that fails has changed nothing.
    pub fn change(&self, text: &str) -> io::Result<String> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("REVIEW_COMMENTS.md");
        let mut file = tempfile::NamedTempFile::new_in(directory.path())?;
        file.write_all(text.as_bytes())?;
        file.persist(&path).map_err(|error| error.error)?;
        #[expect(
            clippy::disallowed_methods,
            reason = "this module is the place that starts processes"
        )]
        let mut editor = Command::new(&self.words[0]);
        editor
            .args(&self.words[1..])
            .arg(&path)
            .current_dir(directory.path());
        let arguments: Vec<_> = editor.get_args().map(ToOwned::to_owned).collect();
        let call = Call::of(self.words[0].as_ref(), &arguments);
        let status = editor.status()?;
        call.ended(&status);
        if !status.success() {
            return Err(io::Error::other(format!("the editor ended with {status}")));
        }
        let mut bytes = Vec::new();
        let file = std::fs::File::open(&path)?;
        file.take(LONGEST_TEXT).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
