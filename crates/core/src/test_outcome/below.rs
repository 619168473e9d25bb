//! A run of a part of a repository, told in the paths of the whole.

use super::{Observation, Raised, Report};

impl Observation {
    /// The same with every path and id below this directory; an empty one is the whole repository.
    #[must_use]
    pub fn below(mut self, root: &str) -> Self {
        if root.is_empty() {
            return self;
        }
        if let Ok(report) = self.report {
            self.report = Ok(report.below(root));
        }
        self
    }
}

impl Report {
    fn below(self, root: &str) -> Self {
        let lower = |text: String| format!("{root}/{text}");
        let all = |texts: Vec<String>| texts.into_iter().map(lower).collect();
        let set =
            |texts: std::collections::BTreeSet<String>| texts.into_iter().map(lower).collect();
        let records = self.records.into_iter().map(|mut record| {
            record.id = lower(record.id);
            record.raised = record.raised.map(|raised| raised.below(root));
            record
        });
        let errors = self.errors.into_iter().map(|mut error| {
            error.file = lower(error.file);
            error.raised = error.raised.below(root);
            error
        });
        let definitions = self.definitions.into_iter();
        let import_roots = self
            .import_roots
            .into_iter()
            .map(|inner| match inner.as_str() {
                "" => root.to_owned(),
                _ => lower(inner),
            });
        Self {
            collected: all(self.collected),
            definitions: definitions.map(|(id, at)| (lower(id), lower(at))).collect(),
            written_at: self
                .written_at
                .into_iter()
                .map(|(id, line)| (lower(id), line))
                .collect(),
            unhandled: self
                .unhandled
                .into_iter()
                .map(|raised| raised.below(root))
                .collect(),
            deselected: all(self.deselected),
            errors: errors.collect(),
            skipped_files: self
                .skipped_files
                .into_iter()
                .map(|mut skipped| {
                    skipped.file = lower(skipped.file);
                    skipped
                })
                .collect(),
            records: records.collect(),
            with_passing_parts: set(self.with_passing_parts),
            import_roots: import_roots.collect(),
            reached: set(self.reached),
            ended: set(self.ended),
            used_stubs: set(self.used_stubs),
            knew_stubs: set(self.knew_stubs),
            deeds: self
                .deeds
                .into_iter()
                .map(|mut deed| {
                    deed.path = lower(deed.path);
                    deed
                })
                .collect(),
            trace: self.trace.below(root),
            has_subtests: self.has_subtests,
            finished_exit: self.finished_exit,
            foreign_modules: self.foreign_modules,
            plugins: self.plugins,
            tampered: self.tampered,
        }
    }
}

impl Raised {
    fn below(mut self, root: &str) -> Self {
        let lower = |path: &mut String| *path = format!("{root}/{path}");
        self.owner_path.iter_mut().for_each(lower);
        self.crash
            .iter_mut()
            .map(|crash| &mut crash.path)
            .for_each(lower);
        // A module of a file's own is named by its location.
        if let Some(module) = &mut self.missing_module
            && let Some(inside) = module.strip_prefix("./")
        {
            *module = format!("./{root}/{inside}");
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::test_outcome::Raised;
    use crate::test_outcome::testing::{Run, raised};

    #[test]
    fn everything_that_names_a_file_names_it_from_the_repositorys_root() {
        let missing = Raised {
            missing_module: Some("./src/add".to_owned()),
            owner_path: Some("src/a.ts".to_owned()),
            ..raised(&["Error"], "no", "a.test.ts")
        };
        let mut run = Run::default()
            .fails("a.test.ts::x", missing)
            .collection_error("b.test.ts", raised(&["Error"], "no", "b.test.ts"));
        run.report.import_roots = vec![String::new(), "src".to_owned()];
        run.report.trace.executed("a.test.ts::x", "src/a.ts", [1]);
        let report = run.exits(1).below("web").report.expect("a report");
        assert_eq!(report.collected, ["web/a.test.ts::x"]);
        assert_eq!(report.errors[0].file, "web/b.test.ts");
        assert_eq!(report.import_roots, ["web", "web/src"]);
        let raised = report.records[1].raised.as_ref().expect("an error");
        assert_eq!(raised.missing_module.as_deref(), Some("./web/src/add"));
        assert_eq!(raised.owner_path.as_deref(), Some("web/src/a.ts"));
        let at = report.trace.tests_at("web/src/a.ts", &[1]);
        assert!(at.contains("web/a.test.ts::x"));
    }

    #[test]
    fn the_whole_repository_is_what_it_was() {
        let seen = Run::default().passes("a.py::x").exits(0);
        assert_eq!(seen.clone().below(""), seen);
    }
}
