//! The names that a project's own configuration gives to test files: `python_files`.

use toml::{Table, Value};

/// The files that may configure pytest, the first one that does so first.
pub const CONFIGURING: [&str; 5] = [
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
];

/// The patterns of `python_files`, from the contents of [`CONFIGURING`] in their order. Patterns that do not mention
/// tests are left out: where every file may hold tests, a name means nothing.
pub fn own_test_names(contents: &[Option<String>]) -> Vec<String> {
    let files = CONFIGURING.into_iter().zip(contents);
    let mut texts = files.filter_map(|(name, text)| Some((name, text.as_deref()?)));
    let found = texts.find_map(|(name, text)| match name {
        "pyproject.toml" => of_document(text),
        "tox.ini" => of_section(text, "[pytest]"),
        "setup.cfg" => of_section(text, "[tool:pytest]"),
        _ => Some(of_section(text, "[pytest]").unwrap_or_default()),
    });
    let speaks_of_tests = |pattern: &String| {
        let pattern = pattern.to_ascii_lowercase();
        ["test", "spec", "check"]
            .iter()
            .any(|word| pattern.contains(word))
    };
    let found = found.unwrap_or_default().into_iter();
    found.filter(speaks_of_tests).collect()
}

fn of_document(text: &str) -> Option<Vec<String>> {
    let document = text.parse::<Table>().ok()?;
    let options = document.get("tool")?.get("pytest")?;
    let options = options.get("ini_options").unwrap_or(options);
    Some(match options.get("python_files") {
        Some(Value::String(patterns)) => words(patterns),
        Some(Value::Array(patterns)) => {
            let patterns = patterns.iter().filter_map(Value::as_str);
            patterns.map(str::to_owned).collect()
        }
        _ => Vec::new(),
    })
}

/// The value of `python_files` in a section, with its continuation lines; none if there is no such section.
fn of_section(text: &str, section: &str) -> Option<Vec<String>> {
    let lines = text.lines().skip_while(|line| line.trim_end() != section);
    let mut lines = lines.skip(1).peekable();
    lines.peek()?;
    let mut found = Vec::new();
    let mut inside = false;
    for line in lines.take_while(|line| !line.starts_with('[')) {
        let key = line.split_once('=').or_else(|| line.split_once(':'));
        if line.starts_with([' ', '\t']) {
            if inside {
                found.extend(words(line));
            }
        } else if let Some((_, value)) = key.filter(|(key, _)| key.trim() == "python_files") {
            inside = true;
            found.extend(words(value));
        } else {
            inside = false;
        }
    }
    Some(found)
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Whether the name of a file fits a pattern with `*` and `?`.
pub fn fits(pattern: &str, path: &str) -> bool {
    fn rest(pattern: &[char], name: &[char]) -> bool {
        match (pattern.split_first(), name.split_first()) {
            (None, None) => true,
            (Some(('*', after)), _) => {
                (0..=name.len()).any(|skipped| rest(after, &name[skipped..]))
            }
            (Some(('?', after)), Some((_, others))) => rest(after, others),
            (Some((wanted, after)), Some((found, others))) => {
                wanted == found && rest(after, others)
            }
            _ => false,
        }
    }
    let letters = |text: &str| text.chars().collect::<Vec<char>>();
    let name = path.rsplit('/').next().unwrap_or(path);
    rest(&letters(pattern), &letters(name))
}

#[cfg(test)]
mod tests {
    use super::{CONFIGURING, fits, own_test_names};

    fn names(file: &str, text: &str) -> String {
        let contents = CONFIGURING.map(|name| (name == file).then(|| text.to_owned()));
        own_test_names(&contents).join(" ")
    }

    #[test]
    fn patterns_are_found_wherever_pytest_looks_for_them() {
        let table = [
            (
                "pytest.ini",
                "# x\n[pytest]\npython_files = tests.py a_tests.py\n",
                "tests.py a_tests.py",
            ),
            (
                "tox.ini",
                "[tox]\npython_files = no_test.py\n[pytest]\naddopts = -q\npython_files =\n  tests.py\n  *_tests.py\nx = y_test.py\n",
                "tests.py *_tests.py",
            ),
            (
                "setup.cfg",
                "[tool:pytest]\npython_files: *Test.py\n",
                "*Test.py",
            ),
            ("setup.cfg", "[pytest]\npython_files: *Test.py\n", ""),
            (
                "pyproject.toml",
                "[tool.pytest.ini_options]\npython_files = [\"check_*.py\", \"*.py\"]\n",
                "check_*.py",
            ),
            (
                "pyproject.toml",
                "[tool.pytest.ini_options]\npython_files = \"tests.py\"\n",
                "tests.py",
            ),
            ("pyproject.toml", "not toml", ""),
            ("tox.ini", "[pytest]\n", ""),
        ];
        for (file, text, expected) in table {
            assert_eq!(names(file, text), expected, "{file}: {text}");
        }
    }

    #[test]
    fn the_first_file_that_configures_pytest_decides() {
        let mut contents = CONFIGURING.map(|_| None);
        contents[0] = Some("[pytest]\n".to_owned());
        contents[3] = Some("[pytest]\npython_files = tests.py\n".to_owned());
        assert!(own_test_names(&contents).is_empty());
    }

    #[test]
    fn a_pattern_is_about_the_name() {
        assert!(fits("tests.py", "app/tests.py"));
        assert!(fits("*_tests.py", "a_tests.py"));
        assert!(fits("t?sts.py", "tests.py"));
        assert!(!fits("tests.py", "a_tests.py"));
        assert!(!fits("*_tests.py", "tests.py"));
    }
}
