//! Having test and source files read, as they are and as they were.

use proctor_core::dialect::{acts_on_runner, is_cache};
use proctor_core::gate::{
    Analysis, FlagKind, ReadFile, SourceFlag, SourceText, Verdict, refuse_unreadable,
};
use proctor_core::object_id::TreeId;
use proctor_core::path::ProjectPath;

use super::GateError;
use super::arbiter::{Arbiter, Sitting};
use crate::test_runner::ReadError;

impl Sitting<'_, '_> {
    /// The analysis of a tree's test files.
    pub(super) fn analyse(
        &mut self,
        tree: &TreeId,
        tests: &[ProjectPath],
    ) -> Result<Analysis, GateError> {
        let files = self.code_files(tree, tests)?;
        if files.is_empty() {
            return Ok(Analysis::default());
        }
        // Green reuses red's analysis.
        if let Some((read, analysis)) = &self.arbiter.analysed
            && *read == files
        {
            return Ok(analysis.clone());
        }
        match self.readers().analyse(&files) {
            Ok(analysis) => {
                self.arbiter.analysed = Some((files, analysis.clone()));
                Ok(analysis)
            }
            Err(ReadError::Runner(error)) => Err(error.into()),
            Err(problem @ (ReadError::Failed { .. } | ReadError::Answer(_))) => {
                let problem = problem.to_string();
                let remark = format!("the test files could not be read: {problem}");
                self.evidence.remark(&remark);
                let paths = files.iter().map(|file| file.path.as_str());
                Ok(Analysis::of_unreadable(paths, &problem))
            }
        }
    }

    /// The verdict on files of a change that a person cannot read as the interpreter does; none if they can be.
    pub(super) fn unreadable(
        &self,
        tree: &TreeId,
        files: &[ProjectPath],
    ) -> Result<Option<Verdict>, GateError> {
        let names: Vec<&str> = files.iter().map(ProjectPath::as_str).collect();
        let now = self.objects().files_at(tree, &names)?;
        let before = self.objects().files_at(self.base, &names)?;
        let files = files.iter().zip(now.iter().zip(&before));
        let files = files.filter_map(|(path, (now, before))| {
            Some(ReadFile {
                path,
                now: now.as_deref()?,
                before: before.as_deref(),
            })
        });
        Ok(refuse_unreadable(files).err())
    }

    /// Facts in the changed source files that a person should look at.
    pub(super) fn flags(
        &self,
        tree: &TreeId,
        tests: &[ProjectPath],
        sources: &[ProjectPath],
    ) -> Result<Vec<SourceFlag>, GateError> {
        let mut flags: Vec<SourceFlag> = sources
            .iter()
            .filter_map(|path| {
                Some(SourceFlag {
                    path: path.to_string(),
                    line: 1,
                    flag: FlagKind::Shadows,
                    what: acts_on_runner(path)?,
                })
            })
            .collect();
        let caches = sources.iter().chain(tests);
        let caches = caches.filter(|path| is_cache(path.as_str()));
        flags.extend(caches.map(|path| SourceFlag {
            path: path.to_string(),
            line: 1,
            flag: FlagKind::NotRead,
            what: "compiled code".to_owned(),
        }));
        let sources = self.code_files(tree, sources)?;
        if !sources.is_empty() {
            let tests = self.code_files(tree, tests)?;
            flags.extend(self.readers().flags(&tests, &sources)?);
        }
        Ok(flags)
    }

    fn code_files(
        &self,
        tree: &TreeId,
        paths: &[ProjectPath],
    ) -> Result<Vec<SourceText>, GateError> {
        self.arbiter.code_files(self.base, tree, paths)
    }
}

impl Arbiter<'_> {
    /// The files of the language among these, as they are in the tree and as they were at the base.
    pub(super) fn code_files(
        &self,
        base: &TreeId,
        tree: &TreeId,
        paths: &[ProjectPath],
    ) -> Result<Vec<SourceText>, GateError> {
        let objects = self.place.repository.objects();
        let code: Vec<&str> = paths
            .iter()
            .filter(|path| self.reads(path))
            .map(ProjectPath::as_str)
            .collect();
        let now = objects.files_at(tree, &code)?;
        let before = objects.files_at(base, &code)?;
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let files = code
            .into_iter()
            .zip(now.into_iter().zip(before))
            .filter_map(|(path, (now, before))| {
                Some(SourceText {
                    path: path.to_owned(),
                    text: text(now?),
                    base: before.map(text),
                })
            });
        Ok(files.collect())
    }
}
