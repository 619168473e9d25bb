//! One file of a change, and its report.

use std::collections::BTreeSet;

use serde::{Serialize, Serializer};

use super::{Label, Measure, REVIEW_RATIO};
use crate::dialect::{is_test_configuration, is_test_file};
use crate::diff::{is_binary, line_count};
use crate::file_mode::FileMode;
use crate::path::ProjectPath;
use crate::secrets::{SecretFinding, find_secrets, secret_name};
use crate::visible::{escape, hiding_lines};

/// A new file of more lines than this is flagged.
const LONG_NEW_FILE: usize = 100;

/// One side of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The kind of entry.
    pub mode: FileMode,
    /// How many bytes.
    pub size: u64,
    /// The bytes, unless there are too many to read: then it counts as binary.
    pub content: Option<Vec<u8>>,
}

impl Version {
    /// A version whose bytes are all there.
    pub fn whole(mode: FileMode, content: Vec<u8>) -> Self {
        Self {
            mode,
            size: content.len() as u64,
            content: Some(content),
        }
    }

    fn is_binary(&self) -> bool {
        self.content.as_deref().is_none_or(is_binary)
    }

    fn lines(&self) -> usize {
        let content = self.content.as_deref();
        content
            .filter(|bytes| !is_binary(bytes))
            .map_or(0, line_count)
    }
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewedFile {
    /// Its name, in bytes as git has it.
    pub path: Vec<u8>,
    /// The old version.
    pub before: Option<Version>,
    /// The new version.
    pub after: Option<Version>,
    /// Lines that only the new version has, as git counts them.
    pub added: usize,
    /// Lines that only the old version has, as git counts them.
    pub deleted: usize,
    /// Labels from other sources, such as the gates.
    pub labels: BTreeSet<Label>,
}

/// The change to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is new.
    Added,
    /// It was there and is.
    Modified,
    /// It is gone.
    Deleted,
}

/// The gate's report on one file; serialised for scripts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileReport {
    /// Its name, visible.
    pub path: String,
    /// The change to it.
    pub status: Status,
    /// The number of lines before.
    pub lines_before: usize,
    /// The number of lines after.
    pub lines_after: usize,
    /// Lines that only the new version has.
    pub added: usize,
    /// Lines that only the old version has.
    pub deleted: usize,
    /// Changed lines in relation to those that were there, at most 1.
    pub change_ratio: f64,
    /// Whether it was replaced rather than changed.
    pub is_replacement: bool,
    /// Whether a person has to look at it closely.
    pub requires_review: bool,
    /// Bytes before and after, where lines mean nothing.
    #[serde(skip)]
    pub binary: Option<(u64, u64)>,
    /// Likely secrets, each with its place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// Everything there is to notice.
    #[serde(serialize_with = "names")]
    pub flags: BTreeSet<Label>,
}

fn names<S: Serializer>(labels: &BTreeSet<Label>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(labels.iter().map(|label| label.name()))
}

impl ReviewedFile {
    /// Labels that follow from the name alone.
    pub fn labels_of_name(path: &[u8], test_paths: &[String]) -> BTreeSet<Label> {
        let parsed = std::str::from_utf8(path).ok();
        let Some(path) = parsed.and_then(|text| ProjectPath::parse(text).ok()) else {
            return BTreeSet::from([Label::OddName]);
        };
        [
            (is_test_file(path.as_str(), test_paths), Label::Test),
            (path.is_protected(), Label::Protected),
            (is_test_configuration(&path), Label::TestConfig),
        ]
        .into_iter()
        .filter_map(|(applies, label)| applies.then_some(label))
        .collect()
    }

    /// The report on it.
    pub fn report(&self) -> FileReport {
        let (before, after) = (self.before.as_ref(), self.after.as_ref());
        let lines = |side: Option<&Version>| side.map_or(0, Version::lines);
        let measure = Measure {
            before: lines(before),
            after: lines(after),
            added: self.added,
            deleted: self.deleted,
        };
        let status = match (before, after) {
            (None, _) => Status::Added,
            (Some(_), Some(_)) => Status::Modified,
            (Some(_), None) => Status::Deleted,
        };
        let modified = status == Status::Modified;
        let binary = [before, after]
            .into_iter()
            .flatten()
            .any(Version::is_binary);
        let are_files = [before, after]
            .into_iter()
            .flatten()
            .all(|version| version.mode.is_file());
        let is_replacement = modified && are_files && !binary && measure.is_replacement();
        let major = modified && are_files && measure.ratio() > REVIEW_RATIO;
        let mut flags = self.labels.clone();
        let mut notice = |applies: bool, label| {
            if applies {
                flags.insert(label);
            }
        };
        notice(status == Status::Added, Label::New);
        notice(status == Status::Deleted, Label::Deleted);
        notice(is_replacement, Label::Replaced);
        notice(major, Label::MajorChange);
        notice(binary, Label::Binary);
        for (mode, label) in [
            (FileMode::Symlink, Label::Symlink),
            (FileMode::Submodule, Label::Submodule),
        ] {
            let mut sides = [before, after].into_iter().flatten();
            notice(sides.any(|version| version.mode == mode), label);
        }
        notice(changes_mode(before, after), Label::Mode);
        let name = escape(&self.path);
        notice(
            name.has_hidden_characters || self.hides_characters(),
            Label::HiddenCharacters,
        );
        let secrets = self.secrets();
        notice(!secrets.is_empty(), Label::Secret);
        let size = |side: Option<&Version>| side.map_or(0, |version| version.size);
        let long_and_new = status == Status::Added && measure.after > LONG_NEW_FILE;
        FileReport {
            path: name.text,
            status,
            lines_before: measure.before,
            lines_after: measure.after,
            added: self.added,
            deleted: self.deleted,
            change_ratio: measure.ratio().min(1.0),
            is_replacement,
            binary: binary.then(|| (size(before), size(after))),
            requires_review: long_and_new || flags.iter().any(|label| label.warns()),
            secrets,
            flags,
        }
    }

    /// Likely secrets that only the new version has, each with its line; before them, the name.
    fn secrets(&self) -> Vec<String> {
        let Some(after) = &self.after else {
            return Vec::new();
        };
        let named = secret_name(&String::from_utf8_lossy(&self.path));
        let named = named.map(|rule| format!("files named like this hold secrets ({rule})"));
        let text = |version: &Version| {
            let content = version.content.as_deref().filter(|it| !is_binary(it));
            String::from_utf8_lossy(content.unwrap_or_default()).into_owned()
        };
        // A file that only lost lines has nothing new in it.
        let (new, old) = match &self.before {
            Some(_) if self.added == 0 => (String::new(), String::new()),
            before => (text(after), before.as_ref().map_or_else(String::new, text)),
        };
        let mut found = find_secrets(&new);
        if !found.is_empty() {
            let known: BTreeSet<_> = find_secrets(&old)
                .into_iter()
                .map(|it| it.fingerprint)
                .collect();
            found.retain(|it| !known.contains(&it.fingerprint));
        }
        let line = |finding: &SecretFinding| new[..finding.range.start].matches('\n').count() + 1;
        let found = found.iter().map(|finding| {
            let (line, what) = (line(finding), &finding.description);
            format!("line {line} holds what looks like {what}")
        });
        named.into_iter().chain(found).collect()
    }

    /// Whether the new version has characters that a reader does not see, and the old one has not as many.
    fn hides_characters(&self) -> bool {
        let hidden = |side: Option<&Version>| {
            let content = side.and_then(|version| version.content.as_deref());
            let text = content
                .filter(|bytes| !is_binary(bytes))
                .unwrap_or_default();
            hiding_lines(text)
        };
        hidden(self.after.as_ref()) > hidden(self.before.as_ref())
    }
}

/// A file together with its report, which inspects every byte and is therefore made once.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedFile {
    /// Both versions.
    pub file: ReviewedFile,
    /// The report on them.
    pub report: FileReport,
}

impl From<ReviewedFile> for ReportedFile {
    fn from(file: ReviewedFile) -> Self {
        let report = file.report();
        Self { file, report }
    }
}

/// Reports every file: flagged ones before the others, and in each group tests before the tested code.
pub fn in_reading_order(files: Vec<ReviewedFile>) -> Vec<ReportedFile> {
    let mut files: Vec<ReportedFile> = files.into_iter().map(ReportedFile::from).collect();
    files.sort_by_key(|ReportedFile { report, .. }| {
        (
            !report.requires_review,
            !report.flags.contains(&Label::Test),
        )
    });
    files
}

/// Whether it became executable or is another kind of thing than before.
fn changes_mode(before: Option<&Version>, after: Option<&Version>) -> bool {
    let (before, after) = (
        before.map(|version| version.mode),
        after.map(|version| version.mode),
    );
    let became_executable = after == Some(FileMode::Executable) && before != after;
    let changed = before.is_some() && after.is_some() && before != after;
    became_executable || changed
}
