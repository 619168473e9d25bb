//! A person's comments for the model, written in their editor.

use proctor_host::driver::ReviewSheet;

use super::diff_view::review_lines;
use super::style::Appearance;

/// Lines that begin with it are not the person's.
const MARK: char = '#';

const HELP: [&str; 4] = [
    "Write above what the model should do otherwise, as `path:line: comment` or in free words.",
    "Lines that begin with # do not count. Save nothing to go back to the question.",
    "",
    "What is reviewed:",
];

/// Room for words, how to write them, and everything that they can be about.
pub(super) fn template(sheet: &ReviewSheet<'_>) -> String {
    let plain = Appearance::default();
    let shown = review_lines(sheet, plain, 80).map(|line| line.plain());
    let below = HELP.iter().map(|line| (*line).to_owned()).chain(shown);
    let marked = below.map(|line| format!("{MARK} {line}").trim_end().to_owned() + "\n");
    std::iter::once("\n".to_owned()).chain(marked).collect()
}

/// The person's own words.
pub(super) fn written(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with(MARK));
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::sample::{file, text, with_sheet};

    #[test]
    fn unchanged_text_says_nothing_and_only_a_persons_own_words_count() {
        let files = vec![file("a.py", text("a\n"), text("#b\n"))];
        let template = with_sheet(files, template);
        assert!(template.contains("\n#    1 +#b\n"), "{template}");
        assert_eq!(written(&template), "");
        let changed = format!("a.py:1: no\n\n  and test it\n{template}");
        assert_eq!(written(&changed), "a.py:1: no\n\n  and test it");
    }
}
