//! `docs/troubleshooting.md`, which messages are compared with.

use std::sync::OnceLock;

const PAGE: &str = include_str!("../../../../../docs/troubleshooting.md");

/// One line of the page.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) code: i32,
    pub(super) message: String,
    /// The remedies; several where the same sentence occurs in several situations.
    hints: Vec<String>,
}

pub(super) fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let mut code = 0;
        let mut rows = Vec::new();
        for line in PAGE.lines() {
            if let Some(number) = line.strip_prefix("## Exit code ") {
                code = number.parse().expect("a number");
            }
            let cells = line
                .strip_prefix("| ")
                .and_then(|line| line.strip_suffix(" |"));
            if let Some((message, hints)) = cells.and_then(|cells| cells.split_once(" | "))
                && message != "message"
            {
                rows.push(Row {
                    code,
                    message: plain(message).replace("<br>", "\n"),
                    hints: hints.split("<br>").map(plain).collect(),
                });
            }
        }
        rows
    })
}

fn plain(cell: &str) -> String {
    cell.replace("\\|", "|")
}

/// The row with this message, which has to be on the page.
#[track_caller]
pub(super) fn row(code: i32, message: &str) -> &'static Row {
    let found = rows()
        .iter()
        .find(|row| row.code == code && row.message == message);
    found.unwrap_or_else(|| panic!("the page has no {message:?} with code {code}"))
}

impl Row {
    /// Fails the test unless the row says this.
    #[track_caller]
    pub(super) fn assert_says(&self, message: &str, hints: &str) {
        let wanted = &self.message;
        // A terminal's lines are broken between words.
        let in_one = |text: &str| text.replace('\n', " ");
        assert!(
            fits(wanted, message) || fits(&in_one(wanted), &in_one(message)),
            "{message:?} is not {wanted:?}; {hints}"
        );
        // A command that drives a run adds the commands for it.
        let added = [
            "",
            "; go on with `proctor resume RUN`",
            "; end the run with `proctor abort RUN`",
            "; `proctor review RUN` still offers the last green that was accepted",
            "; where the base commit itself is broken: `proctor abort RUN`, commit what repairs it, and start again with \
             `proctor run`; where it was this machine: `proctor resume RUN`",
        ];
        let fit = |hint: &String| {
            added
                .iter()
                .any(|more| fits(&format!("{hint}{more}"), hints))
        };
        let wanted = &self.hints;
        assert!(
            wanted.iter().any(fit),
            "{message:?}: {hints:?} is not {wanted:?}"
        );
    }
}

/// A piece of the page's text: words in capitals and numbers match others.
enum Piece<'a> {
    Literal(&'a str),
    Anything,
}

fn pieces(pattern: &str) -> Vec<Piece<'_>> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let boundary = |character| is_part(character) != is_part(first);
        let (word, after) = rest.split_at(rest.find(boundary).unwrap_or(rest.len()));
        let is_name = word.len() > 1 && !word.contains(char::is_lowercase);
        let stands_for_another = is_part(first) && (is_name || first.is_ascii_digit());
        pieces.push(if stands_for_another {
            Piece::Anything
        } else {
            Piece::Literal(word)
        });
        rest = after;
    }
    pieces
}

fn fits(pattern: &str, said: &str) -> bool {
    fn from(pieces: &[Piece<'_>], said: &str) -> bool {
        match pieces {
            [] => said.is_empty(),
            [Piece::Literal(text), rest @ ..] => {
                said.strip_prefix(text).is_some_and(|said| from(rest, said))
            }
            [Piece::Anything, rest @ ..] => said
                .char_indices()
                .map(|(at, character)| at + character.len_utf8())
                .any(|end| from(rest, &said[end..])),
        }
    }
    from(&pieces(pattern), said)
}

#[test]
fn capitals_and_numbers_stand_for_others_and_everything_else_for_itself() {
    let row = "branch BRANCH is at line 9 of RUN.html";
    assert!(fits(
        row,
        "branch feat/issue-87 is at line 120 of 87-x.html"
    ));
    assert!(!fits(row, "branch  is at line 120 of 87-x.html"));
    assert!(!fits(row, "branch main was at line 120 of 87-x.html"));
    assert!(!fits(row, "branch main is at line 120 of 87-x.html, too"));
    assert!(rows().len() > 100);
}
