//! Reading the files of all parts of a repository, each by its language's reader.

use proctor_core::gate::{Analysis, BlindReport, SourceFlag, SourceText};
use proctor_core::mutants::{LinesOf, SourceLines};
use proctor_core::path::ProjectPath;

use super::parts::Part;
use crate::test_runner::{Cut, CutFile, CutSource, Marker, ReadError, Reader, RunnerError};

/// The readers of all parts.
pub(super) struct Readers<'a>(pub(super) Vec<(&'a Part, Reader<'a>)>);

/// Test files of every part without their expected values.
#[derive(Debug, Clone)]
pub(super) struct Cuts {
    pub(super) marker: Marker,
    /// By the roots of the parts; paths are those of the part.
    by_root: Vec<(String, Cut)>,
    /// All files, by their paths in the repository.
    pub(super) files: Vec<CutFile>,
}

impl<'a> Readers<'a> {
    /// Each reader with those of these things that are its to read; a file of several parts is the first one's.
    fn shares<T: Clone>(
        &self,
        things: &[T],
        path: impl Fn(&T) -> &str,
    ) -> impl Iterator<Item = (&'a Part, &Reader<'a>, Vec<T>)> {
        let mut shares: Vec<Vec<T>> = self.0.iter().map(|_| Vec::new()).collect();
        for thing in things {
            let path = ProjectPath::parse(path(thing)).ok();
            let mut parts = self.0.iter();
            let reader = path.and_then(|path| parts.position(|(part, _)| part.reads(&path)));
            if let Some(share) = reader.and_then(|index| shares.get_mut(index)) {
                share.push(thing.clone());
            }
        }
        let readers = self.0.iter().zip(shares);
        readers
            .filter(|(_, share)| !share.is_empty())
            .map(|((part, reader), share)| (*part, reader, share))
    }

    /// The analysis of test files.
    pub(super) fn analyse(&self, files: &[SourceText]) -> Result<Analysis, ReadError> {
        let mut whole = Analysis::default();
        for (_, reader, share) in self.shares(files, |file| &file.path) {
            whole.files.extend(reader.analyse(&share)?.files);
        }
        Ok(whole)
    }

    /// Facts in source files that a person should look at.
    pub(super) fn flags(
        &self,
        tests: &[SourceText],
        sources: &[SourceText],
    ) -> Result<Vec<SourceFlag>, RunnerError> {
        let mut flags = Vec::new();
        for (part, reader, share) in self.shares(sources, |file| &file.path) {
            let reads = |file: &&SourceText| {
                ProjectPath::parse(&file.path).is_ok_and(|path| part.reads(&path))
            };
            let tests: Vec<SourceText> = tests.iter().filter(reads).cloned().collect();
            flags.extend(reader.flags(&tests, &share)?);
        }
        Ok(flags)
    }

    /// The lines that a test has to execute, and their mutants, if any are wanted.
    pub(super) fn source_lines(
        &self,
        files: &[LinesOf],
        mutants: bool,
    ) -> Result<Vec<SourceLines>, ReadError> {
        let mut lines = Vec::new();
        for (_, reader, share) in self.shares(files, |file| &file.path) {
            lines.extend(reader.source_lines(&share, mutants)?);
        }
        Ok(lines)
    }

    /// Cuts the expected values out of test files. With names of tests in `only`, the others lose their bodies.
    pub(super) fn cut(
        &self,
        files: &[CutSource],
        only: Option<&[String]>,
    ) -> Result<Cuts, ReadError> {
        let marker = Marker::new();
        let (mut by_root, mut whole) = (Vec::new(), Vec::new());
        for (part, reader, share) in self.shares(files, |file| &file.path) {
            let inside = |path: &str| part.inside(path).unwrap_or(path).to_owned();
            let share: Vec<CutSource> = share
                .into_iter()
                .map(|file| CutSource {
                    path: inside(&file.path),
                    text: file.text,
                })
                .collect();
            let only: Option<Vec<String>> =
                only.map(|ids| ids.iter().map(|id| inside(id)).collect());
            let cut = reader.cut(&share, only.as_deref(), marker)?;
            whole.extend(cut.files.iter().map(|file| CutFile {
                path: part.whole(&file.path),
                ..file.clone()
            }));
            by_root.push((part.root().to_owned(), cut));
        }
        Ok(Cuts {
            marker,
            by_root,
            files: whole,
        })
    }

    /// Compares the values that a run of the cut files sent with the expected ones, and if there is one, with a run of
    /// the marked files.
    pub(super) fn referee(
        &self,
        cuts: &Cuts,
        blind: &[(String, String)],
        marked: &[(String, String)],
    ) -> Result<BlindReport, ReadError> {
        let mut whole = BlindReport::default();
        for (root, cut) in &cuts.by_root {
            let of = |sent: &'_ [(String, String)]| {
                let mut sent = sent.iter();
                sent.find(|(of, _)| of == root)
                    .map(|(_, sent)| sent.clone())
            };
            let reader = self.0.iter().find(|(part, _)| part.root() == root);
            let (Some((_, reader)), Some(blind)) = (reader, of(blind)) else {
                continue;
            };
            let report = reader.referee(cut, &blind, of(marked).as_deref())?;
            whole.extend(report.below(root));
        }
        Ok(whole)
    }
}
