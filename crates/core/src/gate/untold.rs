//! Old places whose value told at the base whether it is right, and does not with the change.
//!
//! A class with an equality of its own is compared by its process alone. Where an old test has always met one there is
//! nothing to see; where it met a plain value before, the change may have put an object in its place that is equal to
//! everything. Honest changes seldom do that, so a person has to look.

use std::collections::BTreeSet;

use super::blind::{Blind, BlindPlace, BlindReport, By, Judgement};
use super::{FlagKind, SourceFlag};
use crate::test_outcome::{file_of, function_of};

/// Places of old tests whose sent values do not tell.
#[derive(Debug)]
pub struct Untold<'a> {
    places: Vec<&'a BlindPlace>,
}

impl<'a> Untold<'a> {
    /// Those of a run of the whole suite, outside of the files of the change.
    pub fn of(blind: Blind<'a>, changed: &[String]) -> Self {
        let run = blind.usable().filter(|run| run.whole);
        let places = run.into_iter().flat_map(|run| &run.report.places);
        let is_old = |path: &str| !changed.iter().any(|file| file == path);
        Self {
            places: places
                .filter(|place| place.judgement == Judgement::NotJudged && !place.in_process)
                .filter(|place| is_old(file_of(&place.id)) && is_old(&place.path))
                .collect(),
        }
    }

    /// The files whose tests are to be judged blind at the base.
    pub fn files(&self) -> Vec<String> {
        let files: BTreeSet<&str> = self.places.iter().map(|place| file_of(&place.id)).collect();
        files.into_iter().map(str::to_owned).collect()
    }

    /// Those of them at which the value told at the base.
    pub fn flags(&self, at_base: &BlindReport) -> Vec<SourceFlag> {
        fn place_of(place: &BlindPlace) -> (&str, &str, u32) {
            (&place.id, &place.path, place.line)
        }
        let told = at_base.places.iter().filter(|place| {
            place.judgement == Judgement::Held && place.by.is_some_and(By::is_telling)
        });
        let told: BTreeSet<_> = told.map(place_of).collect();
        let now = self
            .places
            .iter()
            .filter(|place| told.contains(&place_of(place)));
        let mut flags: Vec<SourceFlag> = now
            .map(|place| SourceFlag {
                path: place.path.clone(),
                line: place.line,
                flag: FlagKind::NotCompared,
                what: format!("{}, by its value at the base", function_of(&place.id)),
            })
            .collect();
        flags.dedup();
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::super::blind::BlindRun;
    use super::*;
    use crate::test_outcome::Observation;
    use crate::test_outcome::testing::Run;

    const OLD: &str = "tests/test_old.py::test_a";

    fn place(id: &str, judgement: Judgement, by: Option<By>) -> BlindPlace {
        BlindPlace {
            id: id.to_owned(),
            place: 1,
            path: file_of(id).to_owned(),
            line: 4,
            judgement,
            by,
            in_process: false,
            reason: None,
            visits: 1,
        }
    }

    fn report(place: &BlindPlace) -> BlindReport {
        BlindReport {
            places: vec![place.clone()],
            ..BlindReport::default()
        }
    }

    fn observed() -> Observation {
        Run::default().passes(OLD).exits(0)
    }

    fn flags(now: &BlindPlace, base: &BlindPlace, changed: &[&str]) -> Vec<String> {
        let (observation, now) = (observed(), report(now));
        let blind = Blind::Run(BlindRun {
            observation: &observation,
            report: &now,
            whole: true,
        });
        let changed: Vec<String> = changed.iter().map(|path| (*path).to_owned()).collect();
        let flags = Untold::of(blind, &changed).flags(&report(base));
        flags.into_iter().map(|flag| flag.what).collect()
    }

    #[test]
    fn a_place_that_told_at_the_base_and_does_not_now_is_flagged() {
        let now = place(OLD, Judgement::NotJudged, None);
        let base = place(OLD, Judgement::Held, Some(By::Value));
        let flagged = ["tests/test_old.py::test_a, by its value at the base"];
        assert_eq!(flags(&now, &base, &[]), flagged);
        // In a file of the change it is a new test's own matter.
        let none: [String; 0] = [];
        assert_eq!(flags(&now, &base, &["tests/test_old.py"]), none);
    }

    #[test]
    fn a_place_that_never_told_is_not() {
        let now = place(OLD, Judgement::NotJudged, None);
        let none: [String; 0] = [];
        for base in [
            place(OLD, Judgement::NotJudged, None),
            place(OLD, Judgement::Held, Some(By::Truth)),
            place(
                "tests/test_old.py::test_b",
                Judgement::Held,
                Some(By::Value),
            ),
        ] {
            assert_eq!(flags(&now, &base, &[]), none);
        }
        // A place that the test's text leaves to the process was like that at the base.
        let left = BlindPlace {
            in_process: true,
            ..now
        };
        let base = place(OLD, Judgement::Held, Some(By::Value));
        assert_eq!(flags(&left, &base, &[]), none);
    }
}
