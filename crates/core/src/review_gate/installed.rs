//! Directories that tools fill: a user who is about to commit one has forgotten an ignore rule.

use std::collections::BTreeMap;

use crate::path::INSTALLED_DIRECTORIES;

/// Into which programs are built.
const BUILT: &str = "target";

/// Those directories that these new files are in, and how many files each has.
pub fn installed_directories<'a>(
    names: impl IntoIterator<Item = &'a [u8]>,
) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for name in names {
        let text = String::from_utf8_lossy(name);
        let mut end = 0;
        for component in text.split_inclusive('/') {
            end += component.len();
            let is_one = component
                .strip_suffix('/')
                .is_some_and(|it| it == BUILT || INSTALLED_DIRECTORIES.contains(&it));
            if is_one {
                *found.entry(text[..end].to_owned()).or_default() += 1;
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::installed_directories;

    #[test]
    fn files_are_counted_by_the_first_directory_of_such_a_name() {
        let names = [
            ".venv/bin/python",
            ".venv/lib/node_modules/x.js",
            "web/node_modules/a/index.js",
            "src/target.py",
            "target",
            "src/venvs/a.py",
        ];
        let found = installed_directories(names.map(str::as_bytes));
        let found: Vec<(&str, usize)> = found
            .iter()
            .map(|(name, files)| (name.as_str(), *files))
            .collect();
        assert_eq!(found, [(".venv/", 2), ("web/node_modules/", 1)]);
    }
}
