//! Runs of the parts of a repository, each by a runner of its own, as one run of the whole.

use super::BlindReport;
use crate::test_outcome::{Exit, ExitMeaning, JUnit, Observation, Report};

impl Observation {
    /// One run of all parts. If one of them is unusable, so is the whole. `None` if there are none.
    pub fn joined(parts: Vec<Self>) -> Option<Self> {
        let unusable = parts.iter().position(|part| part.complete().is_err());
        let mut parts = parts;
        if let Some(index) = unusable {
            return Some(parts.swap_remove(index));
        }
        let mut parts = parts.into_iter();
        let mut whole = parts.next()?;
        for part in parts {
            (whole.exit, whole.meaning) = worse(&whole, &part);
            whole.timeout_seconds = whole.timeout_seconds.max(part.timeout_seconds);
            whole.junit = match (whole.junit, part.junit) {
                (Ok(one), Ok(other)) => Ok(JUnit {
                    passed: one.passed + other.passed,
                    failed: one.failed + other.failed,
                    skipped: one.skipped + other.skipped,
                }),
                (Err(problem), _) | (_, Err(problem)) => Err(problem),
            };
            whole.output.push_str(&part.output);
            if let (Ok(all), Ok(more)) = (&mut whole.report, part.report) {
                all.finished_exit = whole.exit.code();
                add(all, more);
            }
        }
        Some(whole)
    }

    /// A run that concerns no part.
    pub fn of_nothing() -> Self {
        let code = 5;
        Self {
            exit: Exit::Code(code),
            meaning: ExitMeaning::NothingCollected,
            timeout_seconds: 0,
            report: Ok(Report {
                finished_exit: Some(code),
                ..Report::default()
            }),
            junit: Ok(JUnit::default()),
            output: String::new(),
        }
    }
}

impl BlindReport {
    /// The same with every path and id below this directory; an empty one is the whole repository.
    #[must_use]
    pub fn below(mut self, root: &str) -> Self {
        if root.is_empty() {
            return self;
        }
        let lower = |text: &mut String| *text = format!("{root}/{text}");
        for place in &mut self.places {
            lower(&mut place.id);
            lower(&mut place.path);
        }
        self.tests.iter_mut().for_each(|test| lower(&mut test.id));
        let unreached = self.unreached.iter_mut();
        unreached.for_each(|place| lower(&mut place.path));
        let differing = self.differing.iter_mut();
        differing.for_each(|place| lower(&mut place.id));
        self
    }

    /// Adds another part's report. Places are told apart by their tests.
    pub fn extend(&mut self, other: Self) {
        self.places.extend(other.places);
        self.tests.extend(other.tests);
        self.problems.extend(other.problems);
        self.unreached.extend(other.unreached);
        self.differing.extend(other.differing);
    }
}

/// The exit of a combined run: one in which tests fail fails, and one without tests ends as the other does.
fn worse(one: &Observation, other: &Observation) -> (Exit, ExitMeaning) {
    let rank = |observation: &Observation| match observation.meaning {
        ExitMeaning::NothingCollected => 0,
        ExitMeaning::Passed => 1,
        ExitMeaning::Failed => 2,
        _ => 3,
    };
    let worst = if rank(other) > rank(one) { other } else { one };
    (worst.exit, worst.meaning)
}

fn add(all: &mut Report, more: Report) {
    let Report {
        collected,
        definitions,
        written_at,
        unhandled,
        deselected,
        errors,
        skipped_files,
        records,
        has_subtests,
        with_passing_parts,
        finished_exit: _,
        import_roots,
        foreign_modules,
        plugins,
        reached,
        ended,
        used_stubs,
        knew_stubs,
        tampered,
        deeds,
        trace,
    } = more;
    all.collected.extend(collected);
    all.definitions.extend(definitions);
    all.written_at.extend(written_at);
    all.unhandled.extend(unhandled);
    all.deselected.extend(deselected);
    all.errors.extend(errors);
    all.skipped_files.extend(skipped_files);
    all.records.extend(records);
    all.has_subtests |= has_subtests;
    all.with_passing_parts.extend(with_passing_parts);
    all.import_roots.extend(import_roots);
    all.foreign_modules.extend(foreign_modules);
    all.plugins.extend(plugins);
    all.reached.extend(reached);
    all.ended.extend(ended);
    all.used_stubs.extend(used_stubs);
    all.knew_stubs.extend(knew_stubs);
    all.tampered.extend(tampered);
    all.deeds.extend(deeds);
    all.trace.extend(trace);
}

#[cfg(test)]
mod tests {
    use crate::test_outcome::testing::{Run, raised};
    use crate::test_outcome::{Exit, Observation};

    fn joined(parts: Vec<Observation>) -> Observation {
        Observation::joined(parts).expect("there are parts")
    }

    #[test]
    fn the_whole_has_the_tests_of_all_parts_and_fails_where_one_does() {
        let good = || Run::default().passes("a.py::x").exits(0);
        let bad = || {
            let failing = raised(&["AssertionError"], "no", "b.ts");
            Run::default().fails("b.ts::y", failing).exits(1)
        };
        let none = || Run::default().exits(5);
        for (parts, code, tests) in [
            (vec![good(), bad()], 1, 2),
            (vec![bad(), good()], 1, 2),
            (vec![none(), good()], 0, 1),
            (vec![none(), none()], 5, 0),
        ] {
            let whole = joined(parts);
            assert_eq!(whole.exit, Exit::Code(code));
            let report = whole.complete().expect("can be judged");
            assert_eq!(report.collected.len(), tests);
            assert_eq!(whole.junit_disagreement(report), None);
        }
    }

    #[test]
    fn a_part_that_says_nothing_leaves_nothing_to_say() {
        let good = Run::default().passes("a.py::x").exits(0);
        let lost = Run::without_report(Exit::TimedOut);
        assert!(joined(vec![good, lost]).complete().is_err());
        assert_eq!(Observation::joined(Vec::new()), None);
    }
}
