//! The same test under another name.
//!
//! Cases of a test are named after their parameters, and those are others in a run without the expected values; some
//! are named after the time or an address and have a name of their own in every run. Cases are found in one order, so
//! the third of one run is the third of another.

use std::collections::BTreeMap;

use crate::test_outcome::{Report, file_of, function_of};

/// The names of one run's tests in another run.
#[derive(Debug)]
pub(super) struct CaseNames<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> CaseNames<'a> {
    /// Of two runs in the same order.
    pub(super) fn of(run: &'a Report, other: &'a Report) -> Self {
        let theirs = by_definition(other, other.collected.iter());
        Self::matched(run, &theirs)
    }

    /// Of a run and one in the opposite order.
    pub(super) fn of_reversed(run: &'a Report, other: &'a Report) -> Self {
        let theirs = by_definition(other, other.collected.iter().rev());
        Self::matched(run, &theirs)
    }

    fn matched(run: &'a Report, theirs: &Cases<'a>) -> Self {
        let mut names = BTreeMap::new();
        for (definition, cases) in by_definition(run, run.collected.iter()) {
            let Some(others) = theirs.get(&definition) else {
                continue;
            };
            let all_there = cases.len() == others.len();
            for (index, case) in cases.iter().enumerate() {
                let same = others.iter().find(|other| *other == case).copied();
                let there = others.get(index).copied().filter(|_| all_there);
                // A name that exists there is the case's own, unless names have moved to other cases.
                let name = if same.is_some() && !all_there {
                    same
                } else {
                    there.or(same)
                };
                names.extend(name.map(|name| (*case, name)));
            }
        }
        Self(names)
    }

    /// A test's name there, if it exists there.
    pub(super) fn get(&self, id: &str) -> Option<&'a str> {
        self.0.get(id).copied()
    }
}

/// Cases by their origin: a line of a file where the runner gives it, a function otherwise.
type Cases<'a> = BTreeMap<(&'a str, Option<u32>), Vec<&'a str>>;

fn by_definition<'a>(report: &Report, ids: impl Iterator<Item = &'a String>) -> Cases<'a> {
    let mut cases = Cases::new();
    for id in ids {
        let definition = match report.written_at.get(id) {
            Some(line) => (file_of(id), Some(*line)),
            None => (function_of(id), None),
        };
        cases.entry(definition).or_default().push(id);
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::CaseNames;
    use crate::test_outcome::Report;

    fn report(ids: &[&str]) -> Report {
        Report {
            collected: ids.iter().map(|id| (*id).to_owned()).collect(),
            ..Report::default()
        }
    }

    #[test]
    fn cases_are_matched_by_their_place_among_the_cases_of_a_test() {
        let run = report(&["t::a[1-x]", "t::b", "t::a[2-y]"]);
        let other = report(&["t::b", "t::a[k.0]", "t::a[k.1]"]);
        let names = CaseNames::of(&run, &other);
        assert_eq!(names.get("t::a[1-x]"), Some("t::a[k.0]"));
        assert_eq!(names.get("t::a[2-y]"), Some("t::a[k.1]"));
        assert_eq!(names.get("t::b"), Some("t::b"));
        let names = CaseNames::of_reversed(&run, &other);
        assert_eq!(names.get("t::a[1-x]"), Some("t::a[k.1]"));
    }

    #[test]
    fn cases_that_are_written_at_one_line_are_those_of_one_test() {
        let at = |ids: &[(&str, u32)]| Report {
            written_at: ids.iter().map(|(id, at)| ((*id).to_owned(), *at)).collect(),
            ..report(&ids.iter().map(|(id, _)| *id).collect::<Vec<_>>())
        };
        let run = at(&[("t::1 is one", 3), ("t::2 is two", 3), ("t::b", 9)]);
        let other = at(&[("t::1 is 1", 3), ("t::2 is 2", 3), ("t::b", 9)]);
        let names = CaseNames::of(&run, &other);
        assert_eq!(names.get("t::2 is two"), Some("t::2 is 2"));
        assert_eq!(names.get("t::b"), Some("t::b"));
    }

    #[test]
    fn a_case_that_is_missing_has_no_name_there() {
        let run = report(&["t::a[1]", "t::a[2]", "t::c"]);
        let other = report(&["t::a[2]"]);
        let names = CaseNames::of(&run, &other);
        assert_eq!(names.get("t::a[1]"), None);
        assert_eq!(names.get("t::a[2]"), Some("t::a[2]"));
        assert_eq!(names.get("t::c"), None);
    }
}
