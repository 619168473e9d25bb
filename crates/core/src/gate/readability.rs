//! Files that a person cannot read as the interpreter does. No verdict about them is worth anything: the reviewed text
//! is not the code that runs.

use super::findings::Findings;
use super::{Disposition, Rule, Verdict};
use crate::dialect::{is_cache, is_compiled};
use crate::path::ProjectPath;
use crate::pytest::foreign_encoding;
use crate::remark::Remark;

/// A file of a change, before and after.
#[derive(Debug, Clone, Copy)]
pub struct ReadFile<'a> {
    /// Where it is.
    pub path: &'a ProjectPath,
    /// Its current content.
    pub now: &'a [u8],
    /// Its content at the base commit.
    pub before: Option<&'a [u8]>,
}

/// Refuses compiled code, and files that declare an encoding in which they read differently from how they run, unless
/// the base commit's declares the same.
pub fn refuse_unreadable<'a>(files: impl IntoIterator<Item = ReadFile<'a>>) -> Result<(), Verdict> {
    let mut findings = Findings::default();
    for file in files {
        let path = file.path;
        if is_cache(path.as_str()) {
            // It takes no part in the verdict, and is flagged.
            continue;
        }
        if is_compiled(path.as_str()) {
            let message = "is compiled code: a person cannot read what it does";
            findings.refuse(Rule::Unreadable, Some(path.as_str()), message);
        } else if path.is_python()
            && let Some(encoding) = foreign_encoding(file.now)
            && file.before.and_then(foreign_encoding).as_ref() != Some(&encoding)
        {
            let message = Remark::from(format!(
                "declares the encoding {encoding}: what a person reads may not be what runs"
            ))
            .so("use UTF-8");
            findings.refuse(Rule::Unreadable, Some(path.as_str()), message);
        }
    }
    if findings.is_clean() {
        Ok(())
    } else {
        Err(findings.verdict(Disposition::Revise, None))
    }
}

#[cfg(test)]
mod tests {
    use super::{ReadFile, refuse_unreadable};
    use crate::path::ProjectPath;

    #[test]
    fn what_reads_otherwise_than_it_runs_is_refused_unless_the_base_has_it() {
        let escaped = b"# coding: unicode_escape\n".as_slice();
        let latin = b"# coding: latin-1\n".as_slice();
        let table = [
            ("app.py", b"x = 1\n".as_slice(), None, true),
            ("app.py", escaped, None, false),
            ("app.py", escaped, Some(latin), false),
            ("app.py", latin, Some(latin), true),
            ("notes.txt", escaped, None, true),
            (
                "pkg/__pycache__/app.cpython-311.pyc",
                b"".as_slice(),
                None,
                true,
            ),
            ("pkg/app.pyc", b"".as_slice(), None, false),
            ("pkg/_speed.so", b"".as_slice(), Some(b"".as_slice()), false),
        ];
        for (path, now, before, accepted) in table {
            let path = ProjectPath::parse(path).expect("a path");
            let file = ReadFile {
                path: &path,
                now,
                before,
            };
            let judged = refuse_unreadable([file]);
            assert_eq!(judged.is_ok(), accepted, "{path}");
        }
    }
}
