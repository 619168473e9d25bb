//! pytest's part of a `pyproject.toml`.

use toml::{Table, Value};

/// The new file with the old one's configuration of pytest; `None` if the file is to be absent. Where one of them
/// cannot be read, the old one counts: nothing else is certain not to configure pytest.
pub fn held_pyproject(before: Option<&[u8]>, after: Option<&[u8]>) -> Option<Vec<u8>> {
    let read = |bytes: &[u8]| std::str::from_utf8(bytes).ok()?.parse::<Table>().ok();
    let Some(after) = after else {
        return before.map(<[u8]>::to_vec);
    };
    let old = before.map(read);
    let (Some(mut new), None | Some(Some(_))) = (read(after), &old) else {
        return before.map(<[u8]>::to_vec);
    };
    let wanted = old.flatten().as_ref().and_then(pytest_of).cloned();
    if pytest_of(&new) == wanted.as_ref() {
        return Some(after.to_vec());
    }
    let tools = new
        .entry("tool")
        .or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(tools) = tools {
        match wanted {
            Some(wanted) => tools.insert("pytest".to_owned(), wanted),
            None => tools.remove("pytest"),
        };
    }
    Some(new.to_string().into_bytes())
}

fn pytest_of(document: &Table) -> Option<&Value> {
    document.get("tool")?.get("pytest")
}

#[cfg(test)]
mod tests {
    use super::held_pyproject;

    fn held(before: Option<&str>, after: Option<&str>) -> Option<String> {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        held_pyproject(bytes(before).as_deref(), bytes(after).as_deref())
            .map(|bytes| String::from_utf8(bytes).expect("text"))
    }

    #[test]
    fn only_pytests_part_is_held() {
        let base = "[tool.pytest.ini_options]\naddopts = \"-q\"\n[project]\nversion = \"1\"\n";
        let other = base.replace("\"1\"", "\"2\"");
        assert_eq!(
            held(Some(base), Some(&other)).as_deref(),
            Some(other.as_str())
        );
        let tampered = other.replace("-q", "--co");
        let text = held(Some(base), Some(&tampered)).expect("a file");
        assert!(text.contains("\"-q\"") && text.contains("\"2\""), "{text}");
        assert!(!text.contains("--co"), "{text}");
    }

    #[test]
    fn a_part_that_comes_or_goes_is_held_too() {
        let plain = "[project]\nname = \"x\"\n";
        let configured =
            "[project]\nname = \"x\"\n\n[tool.pytest.ini_options]\naddopts = \"--co\"\n";
        for before in [None, Some(plain)] {
            let text = held(before, Some(configured)).expect("a file");
            assert!(!text.contains("--co"), "{text}");
            assert!(text.contains("name"), "{text}");
        }
        let text = held(Some(configured), Some(plain)).expect("a file");
        assert!(text.contains("--co"), "{text}");
        assert_eq!(held(Some(plain), None).as_deref(), Some(plain));
    }

    #[test]
    fn what_cannot_be_read_is_not_used() {
        assert_eq!(
            held(Some("[a]\n"), Some("[tool.pytest")).as_deref(),
            Some("[a]\n")
        );
        assert_eq!(held(None, Some("[tool.pytest")), None);
    }
}
