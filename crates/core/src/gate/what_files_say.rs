//! Reasons against new tests before anything is run.

use crate::remark::Remark;
use std::collections::BTreeSet;

use super::findings::Findings;
use super::{Analysis, Rule, Weakness};

impl Findings {
    /// Problems of the files that do not depend on running them.
    pub(super) fn what_the_files_say(&mut self, analysis: &Analysis) {
        for file in &analysis.files {
            for weakness in &file.problems {
                self.weakness(&file.path, weakness);
            }
            for name in &file.removed {
                let id = format!("{}::{name}", file.path);
                self.refuse(
                    Rule::RemovedTest,
                    Some(&id),
                    "is a test of the base commit and is gone; existing tests have to stay",
                );
            }
            for test in &file.tests {
                let id = format!("{}::{}", file.path, test.name);
                let problems = test.problems.iter();
                for weakness in problems.filter(|weakness| !weakness.is_a_doubt()) {
                    self.weakness(&id, weakness);
                }
            }
        }
        let changed = analysis.changed_tests();
        if !changed.is_empty() {
            self.note(format!("changes existing tests: {}", changed.join(", ")));
        }
    }

    /// Tests in which nothing is seen that could tell right from wrong, except those of which a failed assertion was.
    pub(super) fn tests_without_an_oracle(
        &mut self,
        analysis: &Analysis,
        asserted: &BTreeSet<&str>,
    ) {
        for (file, test) in analysis.each_test() {
            let id = format!("{}::{}", file.path, test.name);
            for weakness in &test.problems {
                if weakness.is_a_doubt() && !asserted.contains(id.as_str()) {
                    self.weakness(&id, weakness);
                }
            }
        }
    }

    fn weakness(&mut self, subject: &str, weakness: &Weakness) {
        let seen = Remark::from(weakness.message.as_str());
        let mut said = seen.about(format_args!("line {}", weakness.line));
        if let Some(order) = &weakness.order {
            said = said.so(order.as_str());
        }
        self.refuse(weakness.rule.clone(), Some(subject), said);
        self.at_line(weakness.line);
    }
}
