//! A runner's report: the JSON lines that Proctor's own reporter in the runner writes.
//!
//! The stream is evidence, so it is read strictly. A run that was cut off in the middle, ended behind the runner's back
//! (`os._exit(0)`) or was written to by other code leaves a stream without exactly one finish record at its end, and no
//! report at all is concluded from such a stream.
//!
//! Exceptions are told in the words of a language; its own reader turns them into a [`Raised`].

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{
    CollectionError, Deed, Outcome, Phase, Raised, Report, SkippedFile, TestRecord, Unreadable,
};

/// One line of the stream.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line<R> {
    Start {
        version: u32,
    },
    CollectionError {
        file: String,
        raised: R,
    },
    CollectionSkipped {
        file: String,
        reason: String,
    },
    Collected {
        ids: Vec<String>,
        #[serde(default)]
        definitions: BTreeMap<String, String>,
        #[serde(default)]
        written_at: BTreeMap<String, u32>,
    },
    /// An uncaught error outside any test.
    Unhandled {
        raised: R,
    },
    Deselected {
        ids: Vec<String>,
    },
    Plugins {
        names: Vec<String>,
    },
    Begin {
        id: String,
    },
    Reached {
        id: String,
    },
    Ended {
        id: String,
    },
    Stub {
        id: String,
        used: bool,
    },
    WrittenBy {
        path: String,
    },
    /// An observed action of project code.
    Deed(Deed),
    /// The values that a cut test sent; only the referee reads them.
    Value {},
    /// Lines executed by a test, or outside any test.
    Lines {
        id: String,
        path: String,
        lines: Vec<i64>,
    },
    /// A file opened by a test, or outside any test.
    Opens {
        id: String,
        path: String,
    },
    /// A test had something run in another process.
    Elsewhere {
        id: String,
    },
    /// Other code took over the tracing of lines.
    LinesLost {
        why: String,
    },
    Phase {
        id: String,
        phase: Phase,
        outcome: Outcome,
        raised: Option<R>,
    },
    Subtest {
        id: String,
        outcome: Outcome,
        raised: Option<R>,
    },
    Finish {
        exit: i32,
        import_roots: Vec<String>,
        foreign_modules: BTreeMap<String, String>,
        #[serde(default)]
        tampered: BTreeSet<String>,
    },
}

/// The version of the stream that this file reads.
const VERSION: u32 = 1;

/// The stream without the word that begins every record.
///
/// Only the plugin knows the word, so a record without it was written by other code, and then nothing in the stream can
/// be trusted.
pub fn authentic_records(stream: &str, word: &str) -> Result<String, Unreadable> {
    let mut records = String::with_capacity(stream.len());
    for (index, line) in stream.split_inclusive('\n').enumerate() {
        let record = line
            .strip_prefix(word)
            .and_then(|rest| rest.strip_prefix(' '))
            .ok_or(Unreadable::Forged(index + 1))?;
        records.push_str(record);
    }
    Ok(records)
}

/// Reads the stream of a runner whose reporter writes exceptions as `R`.
pub(crate) fn read_stream<R: DeserializeOwned + Into<Raised>>(
    stream: &str,
) -> Result<Report, Unreadable> {
    if stream.is_empty() {
        return Err(Unreadable::NoRecords);
    }
    let mut report = Report::default();
    let mut reading = Reading::default();
    let Some(lines) = stream.strip_suffix('\n') else {
        return Err(Unreadable::CutOff);
    };
    for (index, line) in lines.split('\n').enumerate() {
        let number = index + 1;
        let parsed: Line<R> = serde_json::from_str(line).map_err(|error| Unreadable::Record {
            number,
            problem: error.to_string(),
        })?;
        if report.finished_exit.is_some() {
            return Err(Unreadable::AfterFinish);
        }
        if (index == 0) != matches!(parsed, Line::Start { .. }) {
            return Err(Unreadable::OutOfPlace(number));
        }
        reading.take(parsed, &mut report)?;
    }
    if report.finished_exit.is_none() {
        return Err(Unreadable::Unfinished {
            running: reading.running,
        });
    }
    Ok(report)
}

/// The state between one line and the next.
#[derive(Default)]
struct Reading {
    collected: bool,
    attempts: BTreeMap<String, u32>,
    running: Option<String>,
}

impl Reading {
    fn take<R: Into<Raised>>(
        &mut self,
        line: Line<R>,
        report: &mut Report,
    ) -> Result<(), Unreadable> {
        match line {
            Line::Start { version: VERSION } | Line::Value {} => {}
            Line::Start { version } => {
                return Err(Unreadable::Version(version));
            }
            Line::CollectionError { file, raised } => {
                let raised = raised.into();
                report.errors.push(CollectionError { file, raised });
            }
            Line::CollectionSkipped { file, reason } => {
                report.skipped_files.push(SkippedFile { file, reason });
            }
            Line::Collected { .. } if self.collected => {
                return Err(Unreadable::CollectedTwice);
            }
            Line::Collected {
                ids,
                definitions,
                written_at,
            } => {
                self.collected = true;
                report.collected = ids;
                report.definitions = definitions;
                report.written_at = written_at;
            }
            Line::Unhandled { raised } => report.unhandled.push(raised.into()),
            Line::Deselected { ids } => report.deselected.extend(ids),
            Line::Plugins { names } => report.plugins = names,
            Line::Reached { id } => {
                report.reached.insert(id);
            }
            Line::Ended { id } => {
                report.ended.insert(id);
            }
            Line::Stub { id, used } => {
                if used {
                    report.used_stubs.insert(id.clone());
                }
                report.knew_stubs.insert(id);
            }
            Line::Lines { id, path, lines } => report.trace.executed(&id, &path, lines),
            Line::Opens { id, path } => report.trace.opens(&id, &path),
            Line::Elsewhere { id } => report.trace.runs_elsewhere(&id),
            Line::LinesLost { why } => report.trace.loses(&why),
            Line::Deed(deed) => report.deeds.push(deed),
            Line::WrittenBy { path } => {
                report.tampered.insert(format!("a record, by {path}"));
            }
            Line::Begin { id } => self.running = Some(id),
            Line::Phase {
                id,
                phase,
                outcome,
                raised,
            } => {
                let attempt = self.attempts.entry(id.clone()).or_default();
                if phase == Phase::Setup {
                    *attempt += 1;
                }
                if phase == Phase::Teardown {
                    self.running = None;
                }
                report.records.push(TestRecord {
                    id,
                    phase,
                    outcome,
                    raised: raised.map(Into::into),
                    attempt: *attempt,
                    subtest: false,
                });
            }
            Line::Subtest {
                id,
                outcome,
                raised,
            } => self.take_part(id, outcome, raised.map(Into::into), report),
            Line::Finish {
                exit,
                import_roots,
                foreign_modules,
                tampered,
            } => {
                report.tampered.extend(tampered);
                report.finished_exit = Some(exit);
                report.import_roots = import_roots;
                report.foreign_modules = foreign_modules;
            }
        }
        Ok(())
    }

    /// A part of a test. One that passes only shows that the test exists.
    fn take_part(&self, id: String, outcome: Outcome, raised: Option<Raised>, report: &mut Report) {
        report.has_subtests = true;
        if outcome == Outcome::Passed {
            report.with_passing_parts.insert(id);
            return;
        }
        let attempt = self.attempts.get(&id).copied().unwrap_or_default();
        report.records.push(TestRecord {
            id,
            phase: Phase::Call,
            outcome,
            raised,
            attempt,
            subtest: true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{authentic_records, read_stream};
    use crate::test_outcome::{Outcome, Raised, Report, Unreadable};

    fn parse_report(stream: &str) -> Result<Report, Unreadable> {
        read_stream::<Raised>(stream)
    }

    const START: &str = r#"{"kind":"start","version":1}"#;
    const FINISH: &str = r#"{"kind":"finish","exit":1,"import_roots":[""],"foreign_modules":{}}"#;
    const BEGIN: &str = r#"{"kind":"begin","id":"t.py::a"}"#;

    fn phase(phase: &str, outcome: &str) -> String {
        format!(
            r#"{{"kind":"phase","id":"t.py::a","phase":"{phase}","outcome":"{outcome}","raised":null}}"#
        )
    }

    fn stream(lines: &[&str]) -> String {
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    #[test]
    fn a_whole_stream_becomes_a_report() {
        let collected = r#"{"kind":"collected","ids":["t.py::a"]}"#;
        let setup = phase("setup", "passed");
        let call = phase("call", "failed");
        let report = parse_report(&stream(&[START, collected, BEGIN, &setup, &call, FINISH]))
            .expect("readable");
        assert_eq!(report.collected, ["t.py::a"]);
        assert_eq!(report.finished_exit, Some(1));
        assert_eq!(report.records[1].outcome, Outcome::Failed);
        assert_eq!(report.records[1].attempt, 1);
    }

    #[test]
    fn a_record_without_the_word_spoils_the_stream() {
        let records = authentic_records("w {}\nw []\n", "w");
        assert_eq!(records.as_deref(), Ok("{}\n[]\n"));
        for stream in ["w {}\n{}\n", "{}\n", "word {}\n", "w {}\n\n", "w{}\n"] {
            assert!(authentic_records(stream, "w").is_err(), "{stream}");
        }
        assert_eq!(authentic_records("", "w").as_deref(), Ok(""));
    }

    #[test]
    fn only_a_part_of_a_test_that_does_not_pass_says_something_about_it() {
        let part = |outcome: &str| {
            format!(r#"{{"kind":"subtest","id":"t.py::a","outcome":"{outcome}","raised":null}}"#)
        };
        let setup = phase("setup", "passed");
        let (good, bad) = (part("passed"), part("failed"));
        let report = parse_report(&stream(&[START, &setup, &good, FINISH])).expect("readable");
        assert_eq!((report.records.len(), report.has_subtests), (1, true));
        let report = parse_report(&stream(&[START, &setup, &bad, FINISH])).expect("readable");
        let last = report.records.last().expect("two");
        assert_eq!((last.outcome, last.attempt), (Outcome::Failed, 1));
    }

    #[test]
    fn who_had_a_record_written_is_kept_whatever_the_finish_says() {
        let by = r#"{"kind":"written_by","path":"app.py"}"#;
        let report = parse_report(&stream(&[START, by, FINISH])).expect("readable");
        assert_eq!(
            report.tampered.first().map(String::as_str),
            Some("a record, by app.py")
        );
    }

    #[test]
    fn every_set_up_counts_one_attempt() {
        let (setup, call) = (phase("setup", "passed"), phase("call", "rerun"));
        let report = parse_report(&stream(&[START, &setup, &call, &setup, &call, FINISH]))
            .expect("readable");
        let attempts: Vec<u32> = report.records.iter().map(|record| record.attempt).collect();
        assert_eq!(attempts, [1, 1, 2, 2]);
    }

    #[test]
    fn a_stream_in_doubt_is_no_report() {
        let collected = r#"{"kind":"collected","ids":[]}"#;
        let setup = phase("setup", "passed");
        let table: &[(&[&str], &str)] = &[
            (&[], "no records"),
            (&[START], "no finish record"),
            (&[START, BEGIN, &setup], "the run broke off in t.py::a"),
            (&[START, "garbage", FINISH], "record 2 is not readable"),
            (&[START, "", FINISH], "record 2 is not readable"),
            (&[START, FINISH, FINISH], "records follow the finish record"),
            (&[START, FINISH, &setup], "records follow the finish record"),
            (&[START, FINISH, ""], "record 3 is not readable"),
            (&[FINISH], "record 1 is out of place"),
            (&[START, START, FINISH], "record 2 is out of place"),
            (&[START, collected, collected, FINISH], "collected twice"),
            (
                &[r#"{"kind":"start","version":2}"#, FINISH],
                "unknown version 2",
            ),
            (
                &[START, r#"{"kind":"new","x":1}"#, FINISH],
                "record 2 is not readable",
            ),
        ];
        for (lines, expected) in table {
            let error = parse_report(&stream(lines)).expect_err("not readable");
            assert!(
                error.to_string().contains(expected),
                "{error} for {lines:?}"
            );
        }
        let cut = stream(&[START, FINISH]);
        assert!(
            parse_report(cut.trim_end()).is_err(),
            "the last line has no end"
        );
    }
}
