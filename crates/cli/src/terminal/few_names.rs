//! Many names in one line: the first ten, and how many more there are where.

use std::collections::BTreeMap;

use proctor_core::review_gate::installed_directories;

use super::text::{counted, grouped};

/// How many names, or directories, a line has.
const SHOWN: usize = 10;

/// At most ten names; of the others, how many there are in which directory.
pub(super) fn in_short(names: &[&str]) -> String {
    let (shown, others) = names.split_at(names.len().min(SHOWN));
    let words = shown.join(", ");
    if others.is_empty() {
        return words;
    }
    let mut directories = BTreeMap::new();
    for name in others {
        let directory = name.split_once('/').map_or("", |(directory, _)| directory);
        *directories.entry(directory).or_insert(0_usize) += 1;
    }
    let mut counts: Vec<String> = directories
        .iter()
        .take(SHOWN)
        .map(|(directory, count)| match *directory {
            "" => format!("{} in the root", grouped(*count as u64)),
            name => format!("{} in {name}/", grouped(*count as u64)),
        })
        .collect();
    let elsewhere: usize = directories.values().skip(SHOWN).sum();
    if elsewhere > 0 {
        counts.push(format!("{} elsewhere", grouped(elsewhere as u64)));
    }
    let more = counted(others.len(), "more file");
    format!("{words} and {more}: {}", counts.join(", "))
}

/// Installed or built files that are about to be committed, in one line.
pub(crate) fn installed_words<'a>(new: impl IntoIterator<Item = &'a [u8]>) -> Option<String> {
    let directories = installed_directories(new);
    let (first, others) = (
        directories.iter().take(SHOWN),
        directories.len().saturating_sub(SHOWN),
    );
    let mut names: Vec<String> = first
        .map(|(name, files)| format!("{name} ({})", counted(*files, "file")))
        .collect();
    if others > 0 {
        names.push(format!("{} more", grouped(others as u64)));
    }
    let words = "WARNING: what tools install or build is about to be committed";
    (!names.is_empty()).then(|| format!("{words}: {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::in_short;

    #[test]
    fn ten_names_are_all_named_and_the_others_are_counted_where_they_are() {
        let names: Vec<String> = (0..25)
            .map(|number| format!("d{}/x{number}", number / 2))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(in_short(&names[..2]), "d0/x0, d0/x1");
        assert!(!in_short(&names[..10]).contains("more"));
        let (eleven, root) = (&names[..11], [&names[..10], &["README.md"]].concat());
        assert!(in_short(eleven).ends_with("d4/x9 and 1 more file: 1 in d5/"));
        assert!(in_short(&root).ends_with(" and 1 more file: 1 in the root"));
        let many: Vec<String> = (0..40).map(|number| format!("e{number:02}/x")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(
            in_short(&many).ends_with("1 in e19/, 20 elsewhere"),
            "{}",
            in_short(&many)
        );
    }
}
