//! The feedback to the model when a gate refuses.
//!
//! First the reasons, which state the demands; then the refused tests' own tracebacks; the run's raw output only when
//! nothing else explains what happened. Pieces that do not fit are left out whole, the least useful first, and the text
//! says so.

use std::collections::BTreeSet;

use super::{Reason, Rule, Verdict};
use crate::test_outcome::{Exit, Observation, Outcome, Raised};

/// A piece that would be cut shorter than this is left out instead.
const SHORTEST_PIECE: usize = 120;

/// Describes a refusal in at most `limit` bytes. `suite` is the run of the whole suite, if there was one.
pub fn feedback(suite: Option<&Observation>, verdict: &Verdict, limit: usize) -> String {
    if verdict.reasons.is_empty() {
        return String::new();
    }
    let mut page = Page::new(limit);
    let reasons: Vec<String> = verdict.reasons.iter().map(reason_line).collect();
    page.add(&reasons, "reasons", shorten_end);
    let Some(observation) = suite else {
        return page.text;
    };
    let accounts = accounts(observation, verdict);
    if !accounts.is_empty() {
        page.add(&accounts, "tracebacks", shorten_start);
    } else if needs_output(observation, verdict) && !observation.output.trim().is_empty() {
        let output = format!("\noutput of the run:\n{}\n", observation.output.trim_end());
        page.add(&[output], "output", shorten_start);
    }
    page.text
}

fn reason_line(reason: &Reason) -> String {
    match &reason.test {
        Some(test) => format!("- {test}: {} ({})\n", reason.for_model(), reason.rule),
        None => format!("- {} ({})\n", reason.for_model(), reason.rule),
    }
}

/// The runner's own account of every refused test, in the order of the reasons.
fn accounts(observation: &Observation, verdict: &Verdict) -> Vec<String> {
    let Ok(report) = &observation.report else {
        return Vec::new();
    };
    let mut seen = BTreeSet::new();
    let mut accounts = Vec::new();
    for test in verdict
        .reasons
        .iter()
        .filter_map(|reason| reason.test.as_deref())
    {
        let from_records = report
            .records
            .iter()
            .filter(|record| record.id == test && record.outcome != Outcome::Passed)
            .filter_map(|record| record.raised.as_ref());
        let from_errors = report
            .errors
            .iter()
            .filter(|error| error.file == test)
            .map(|error| &error.raised);
        for raised in from_records.chain(from_errors) {
            let text = account(raised);
            if !text.is_empty() && seen.insert((test, text)) {
                accounts.push(format!("\n{test}:\n{text}\n"));
            }
        }
    }
    accounts
}

fn account(raised: &Raised) -> &str {
    let text = raised.text.trim_end();
    if text.trim().is_empty() {
        raised.message.trim_end()
    } else {
        text
    }
}

/// Whether only the raw output can explain the result.
fn needs_output(observation: &Observation, verdict: &Verdict) -> bool {
    let broken_run = |reason: &Reason| {
        matches!(
            reason.rule,
            Rule::UsageError | Rule::InternalError | Rule::Interrupted | Rule::RecordsDisagree
        )
    };
    observation.report.is_err()
        || observation.exit == Exit::TimedOut
        || verdict.reasons.iter().any(broken_run)
}

/// Text that never grows beyond its limit.
struct Page {
    text: String,
    limit: usize,
}

impl Page {
    fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            limit,
        }
    }

    fn room(&self) -> usize {
        self.limit - self.text.len()
    }

    /// Adds as many pieces as fit, the last one shortened, and says how many do not.
    fn add(&mut self, pieces: &[String], what: &str, shorten: fn(&str, usize) -> String) {
        for (index, piece) in pieces.iter().enumerate() {
            let after = pieces.len() - index - 1;
            let reserve = if after == 0 {
                0
            } else {
                left_out(after, what).len()
            };
            let room = self.room().saturating_sub(reserve);
            if piece.len() <= room {
                self.text.push_str(piece);
                continue;
            }
            let mut missing = after + 1;
            if room >= SHORTEST_PIECE {
                self.text.push_str(&shorten(piece, room));
                missing = after;
            }
            let sentence = left_out(missing, what);
            if missing > 0 && sentence.len() <= self.room() {
                self.text.push_str(&sentence);
            }
            return;
        }
    }
}

fn left_out(count: usize, what: &str) -> String {
    format!("[{count} more {what} left out]\n")
}

/// Keeps the beginning of a line.
fn shorten_end(piece: &str, room: usize) -> String {
    const MARK: &str = "…\n";
    let end = piece.floor_char_boundary(room - MARK.len());
    format!("{}{MARK}", &piece[..end])
}

/// Keeps a piece's title and its last lines: a traceback ends with the error.
fn shorten_start(piece: &str, room: usize) -> String {
    const MARK: &str = "[… earlier lines left out …]\n";
    let title_end = piece[1..].find('\n').map_or(0, |end| end + 2);
    let (title, body) = piece.split_at(title_end);
    let Some(room) = room.checked_sub(title.len() + MARK.len()) else {
        return shorten_end(piece, room);
    };
    let start = body.ceil_char_boundary(body.len() - room.min(body.len()));
    let tail = &body[start..];
    // Whole lines, unless the last line alone is too long.
    let tail = match tail.trim_end().find('\n') {
        Some(line_end) => &tail[line_end + 1..],
        None => tail,
    };
    format!("{title}{MARK}{tail}")
}

#[cfg(test)]
mod tests {
    use super::feedback;
    use crate::gate::Verified;
    use crate::gate::{Disposition, Reason, Verdict};
    use crate::test_outcome::Exit;
    use crate::test_outcome::testing::{Run, raised};

    fn verdict(reasons: &[(&str, Option<&str>, &str)]) -> Verdict {
        Verdict {
            disposition: Disposition::Revise,
            exit_code: Some(1),
            tests: Vec::new(),
            reasons: reasons
                .iter()
                .map(|(rule, test, message)| Reason {
                    rule: (*rule).to_owned().into(),
                    test: test.map(str::to_owned),
                    path: None,
                    line: None,
                    message: (*message).to_owned(),
                    order: None,
                })
                .collect(),
            checks: Vec::new(),
            notes: Vec::new(),
            stopped: std::collections::BTreeSet::new(),
            verified: Verified::default(),
            mutants: None,
        }
    }

    #[test]
    fn reasons_come_first_then_the_refused_tests_own_words() {
        let observation = Run::default()
            .fails(
                "t.py::a",
                raised(&["NameError"], "name 'x' is not defined", "t.py"),
            )
            .fails(
                "t.py::b",
                raised(&["AssertionError"], "not this one", "t.py"),
            )
            .exits(1);
        let text = feedback(
            Some(&observation),
            &verdict(&[("name_error", Some("t.py::a"), "uses an unknown name")]),
            4000,
        );
        assert_eq!(
            text,
            "- t.py::a: uses an unknown name (name_error)\n\n\
             t.py::a:\nt.py:3: name 'x' is not defined\n"
        );
    }

    #[test]
    fn raw_output_is_shown_only_when_nothing_else_explains() {
        let timeout = Run::without_report(Exit::TimedOut);
        let text = feedback(
            Some(&timeout),
            &verdict(&[("timeout", None, "took too long")]),
            4000,
        );
        assert!(text.contains("output of the run:\nraw output"), "{text}");
        let passing = Run::default().passes("t.py::a").exits(0);
        let text = feedback(
            Some(&passing),
            &verdict(&[("nothing_fails", None, "all pass")]),
            4000,
        );
        assert_eq!(text, "- all pass (nothing_fails)\n");
    }

    #[test]
    fn an_accepted_verdict_has_nothing_to_say() {
        let observation = Run::default().passes("t.py::a").exits(0);
        assert_eq!(feedback(Some(&observation), &verdict(&[]), 4000), "");
    }

    #[test]
    fn a_long_traceback_keeps_its_end() {
        let mut exception = raised(&["ValueError"], "the point", "t.py");
        exception.text = format!("{}E   the point", "frame\n".repeat(1000));
        let observation = Run::default().fails("t.py::a", exception).exits(1);
        let text = feedback(
            Some(&observation),
            &verdict(&[("x", Some("t.py::a"), "no")]),
            500,
        );
        assert!(text.len() <= 500);
        assert!(text.ends_with("frame\nE   the point\n"), "{text}");
        assert!(text.contains("earlier lines left out"), "{text}");
    }

    #[test]
    fn any_limit_holds_and_whole_characters_remain() {
        let mut run = Run::default();
        let mut reasons = Vec::new();
        let ids: Vec<String> = (0..30)
            .map(|index| format!("t.py::größe_{index}"))
            .collect();
        for id in &ids {
            let mut exception = raised(&["ValueError"], "höhe", "t.py");
            exception.text = "zeile über zeile\n".repeat(20);
            run = run.fails(id, exception);
            reasons.push(("x", Some(id.as_str()), "ungültige Größe"));
        }
        let (observation, verdict) = (run.exits(1), verdict(&reasons));
        for limit in 0..6000 {
            let text = feedback(Some(&observation), &verdict, limit);
            assert!(text.len() <= limit, "limit {limit} gave {}", text.len());
        }
        let text = feedback(Some(&observation), &verdict, 1000);
        assert!(text.contains("more reasons left out"), "{text}");
        let text = feedback(Some(&observation), &verdict, 4000);
        assert!(text.contains("more tracebacks left out"), "{text}");
    }
}
