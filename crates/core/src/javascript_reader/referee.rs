//! Compares the values that cut tests sent with the expected values that were cut out of them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::cut::{Sealed, SealedFile, SealedPlace, SealedTest};
use super::judging::{Sent, Verdict, judge, shown};
use super::value::Value;
use crate::gate::{BlindPlace, BlindReport, BlindTest, By, Judgement, OpenPlace};
use crate::test_outcome::{Ending, Raised, Report, Summary, file_of};

/// The name of the error by which a cut test ends.
const SENT: &str = "ProctorValues";

/// The judgement of a run of cut files. The process's output is read as data and never trusted to be more.
pub fn referee(sealed: &Sealed, report: &Report) -> BlindReport {
    let mut result = BlindReport::default();
    let mut reached: BTreeSet<u64> = BTreeSet::new();
    for summary in report.summaries() {
        let path = file_of(summary.id);
        let file = sealed.files.iter().find(|file| file.path == path);
        let Some(file) = file else { continue };
        let Some(test) = test_of(file, report, summary.id) else {
            result.tests.push(unknown(summary.id));
            continue;
        };
        let judged = Judged::of(file, test, &summary);
        reached.extend(
            judged
                .places
                .iter()
                .filter(|it| it.visits > 0)
                .map(|it| it.place),
        );
        result.tests.push(judged.test());
        result.places.extend(judged.places);
    }
    for file in &sealed.files {
        for (number, place) in &file.places {
            if !place.in_process && !reached.contains(number) {
                result.unreached.push(OpenPlace {
                    place: *number,
                    path: file.path.clone(),
                    line: place.line,
                });
            }
        }
    }
    result
}

/// The innermost test around the line that the runner names, or the one of that name.
fn test_of<'s>(file: &'s SealedFile, report: &Report, id: &str) -> Option<&'s SealedTest> {
    let line = report.written_at.get(id).copied();
    let around = file
        .tests
        .iter()
        .filter(|test| line.is_some_and(|line| (test.line..=test.last_line).contains(&line)));
    around.max_by_key(|test| test.line).or_else(|| {
        let (_, name) = id.split_once("::")?;
        file.tests.iter().find(|test| test.name == name)
    })
}

/// A test that is made in a way that was not seen.
fn unknown(id: &str) -> BlindTest {
    BlindTest {
        id: id.to_owned(),
        judgement: Judgement::NotJudged,
        reason: None,
        held: 0,
        telling: 0,
        failed: 0,
        not_judged: 1,
    }
}

struct Judged<'a> {
    id: &'a str,
    places: Vec<BlindPlace>,
    reason: Option<String>,
}

impl<'a> Judged<'a> {
    fn of(file: &SealedFile, test: &SealedTest, summary: &Summary<'a>) -> Self {
        let mut judged = Self {
            id: summary.id,
            places: Vec::new(),
            reason: None,
        };
        if test.emptied || matches!(summary.ending, Ending::Skipped | Ending::NotRun) {
            return judged;
        }
        let sent = match summary.raised.map(|(_, raised)| raised) {
            Some(raised) if raised.class == SENT && test.sends => {
                let records = records(raised);
                if records.is_none() {
                    judged.reason = Some("what it sent cannot be read".to_owned());
                }
                records.unwrap_or_default()
            }
            Some(raised) => {
                if !test.has_parts || test.sends {
                    judged.reason = Some(format!("it fails by itself: {}", words(raised)));
                }
                Vec::new()
            }
            None => {
                if test.sends {
                    judged.reason = Some("its values were never sent".to_owned());
                }
                Vec::new()
            }
        };
        judged.look_at(file, test, sent);
        judged
    }

    fn look_at(&mut self, file: &SealedFile, test: &SealedTest, sent: Vec<Record>) {
        let mut visits: BTreeMap<u64, Vec<Verdict>> = BTreeMap::new();
        for record in sent {
            match record {
                Record::Failed(error) => {
                    self.reason = Some(format!("it fails by itself: {}", shown(&error)));
                }
                Record::Place(number, sent) => match file.places.get(&number) {
                    Some(place) if !place.in_process => {
                        visits.entry(number).or_default().push(judge(place, &sent));
                    }
                    _ => self.reason = Some("it sent values of a place that it has not".to_owned()),
                },
            }
        }
        for number in &test.own {
            // An assertion that was not reached is not known to hold.
            visits.entry(*number).or_default();
        }
        for number in &test.in_process {
            visits.entry(*number).or_default();
        }
        for (number, verdicts) in visits {
            if let Some(place) = file.places.get(&number) {
                let found = put_together(self.id, &file.path, number, place, verdicts);
                self.places.push(found);
            }
        }
    }

    fn test(&self) -> BlindTest {
        let count = |judgement: Judgement| {
            let found = self
                .places
                .iter()
                .filter(|place| place.judgement == judgement);
            u32::try_from(found.count()).unwrap_or(u32::MAX)
        };
        let telling = self.places.iter().filter(|place| {
            place.judgement == Judgement::Held && place.by.is_some_and(By::is_telling)
        });
        let (held, failed) = (count(Judgement::Held), count(Judgement::Failed));
        let judgement = if failed > 0 || self.reason.is_some() {
            Judgement::Failed
        } else if held > 0 {
            Judgement::Held
        } else {
            Judgement::NotJudged
        };
        BlindTest {
            id: self.id.to_owned(),
            judgement,
            reason: self.reason.clone(),
            held,
            telling: u32::try_from(telling.count()).unwrap_or(u32::MAX),
            failed,
            not_judged: count(Judgement::NotJudged),
        }
    }
}

/// The worst of all visits.
fn put_together(
    id: &str,
    path: &str,
    number: u64,
    place: &SealedPlace,
    verdicts: Vec<Verdict>,
) -> BlindPlace {
    let visits = u32::try_from(verdicts.len()).unwrap_or(u32::MAX);
    let rank = |verdict: &Verdict| match verdict.judgement {
        Judgement::Failed => 2,
        Judgement::NotJudged => 1,
        Judgement::Held => 0,
    };
    let worst = verdicts.into_iter().max_by_key(rank);
    let worst = worst.unwrap_or(Verdict {
        judgement: Judgement::NotJudged,
        by: None,
        reason: None,
    });
    BlindPlace {
        id: id.to_owned(),
        place: number,
        path: path.to_owned(),
        line: place.line,
        judgement: worst.judgement,
        by: worst.by,
        in_process: place.in_process,
        reason: worst.reason,
        visits,
    }
}

enum Record {
    Place(u64, Sent),
    Failed(Value),
}

fn records(raised: &Raised) -> Option<Vec<Record>> {
    let json: Json = serde_json::from_str(&raised.message).ok()?;
    json.as_array()?.iter().map(record).collect()
}

fn record(json: &Json) -> Option<Record> {
    let content = json.get(1)?;
    if json.get(0)?.as_i64()? == -1 {
        return Some(Record::Failed(Value::read(content)?));
    }
    let inner = |index: usize| Value::read(content.get(index)?);
    let sent = match content.get(0)?.as_str()? {
        "2" => Sent::Both(inner(1)?, inner(2)?),
        "=" => Sent::Same(inner(1)?),
        "T" => Sent::Threw(inner(1)?),
        "R" => Sent::Returned,
        _ => Sent::Value(Value::read(content)?),
    };
    Some(Record::Place(json.get(0)?.as_u64()?, sent))
}

fn words(raised: &Raised) -> String {
    let first = raised.message.lines().next().unwrap_or_default();
    let short: String = first.chars().take(120).collect();
    format!("{}: {short}", raised.class())
}
