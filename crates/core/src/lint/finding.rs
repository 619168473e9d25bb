//! Single findings, read from linters' output.

use std::collections::HashMap;
use std::fmt;

use super::Linter;

/// One thing that a linter found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file, from the root of the tree.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The rule and its message.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.text)
    }
}

/// The findings in a linter's output; `root` is where the tree was, for those that name whole paths.
pub(super) fn read(linter: Linter, output: &str, root: &str) -> Vec<Finding> {
    let mut found = if linter == Linter::Eslint {
        from_eslint(output).unwrap_or_default()
    } else {
        output.lines().filter_map(from_line).collect()
    };
    for finding in &mut found {
        let path = finding.path.as_str();
        let inner = path
            .strip_prefix(root)
            .map_or(path, |rest| rest.trim_start_matches('/'));
        finding.path = inner.trim_start_matches("./").to_owned();
    }
    found
}

/// `path:line:column: text`; the column may be missing.
fn from_line(line: &str) -> Option<Finding> {
    let (path, rest) = line.split_once(':')?;
    let (number, rest) = rest.split_once(':')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if path.is_empty() || path.starts_with(char::is_whitespace) || !is_number(number) {
        return None;
    }
    let text = match rest.split_once(':') {
        Some((column, text)) if is_number(column) => text,
        _ => rest,
    };
    Some(Finding {
        path: path.to_owned(),
        line: number.parse().ok()?,
        text: text.trim().to_owned(),
    })
}

/// Errors of eslint's JSON report; warnings are rules that the project chose not to enforce. Other output around the
/// report is ignored.
fn from_eslint(output: &str) -> Option<Vec<Finding>> {
    let report = output.lines().find(|line| line.starts_with('['))?;
    let report: serde_json::Value = serde_json::from_str(report).ok()?;
    let mut found = Vec::new();
    for file in report.as_array()? {
        let path = file.get("filePath")?.as_str()?;
        for message in file.get("messages")?.as_array()? {
            if message.get("severity").and_then(serde_json::Value::as_u64) != Some(2) {
                continue;
            }
            let text = |name: &str| message.get(name).and_then(serde_json::Value::as_str);
            let line = message.get("line").and_then(serde_json::Value::as_u64);
            let words = text("message").unwrap_or_default().trim();
            found.push(Finding {
                path: path.to_owned(),
                line: line.and_then(|line| line.try_into().ok()).unwrap_or(1),
                text: match text("ruleId") {
                    Some(rule) => format!("{words} ({rule})"),
                    None => words.to_owned(),
                },
            });
        }
    }
    Some(found)
}

/// Those of `now` that `before` did not have as often: the same file and words, wherever the line is now.
pub(super) fn grown(mut now: Vec<Finding>, before: &[Finding]) -> Vec<Finding> {
    let key = |finding: &Finding| (finding.path.clone(), finding.text.clone());
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    for finding in before {
        *known.entry(key(finding)).or_default() += 1;
    }
    // Taken from the front, so that of several alike the later ones count as new.
    let is_new = |finding: &Finding| match known.get_mut(&key(finding)) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    now.retain(is_new);
    now
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_linters_lines_are_read() {
        let cases = [
            (
                Linter::Ruff,
                "mathkit/power.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n[*] 1 fixable with the `--fix` option.\n",
                "mathkit/power.py:1: F401 [*] `os` imported but unused",
            ),
            (
                Linter::Flake8,
                "./mathkit/power.py:2:1: E302 expected 2 blank lines, found 1\n",
                "mathkit/power.py:2: E302 expected 2 blank lines, found 1",
            ),
            (
                Linter::Clippy,
                "src/lib.rs:3:5: warning: unneeded `return` statement: help: remove `return`\nwarning: `x` (lib) generated 1 warning\n",
                "src/lib.rs:3: warning: unneeded `return` statement: help: remove `return`",
            ),
            (
                Linter::Eslint,
                "(node:1) Warning: something\n[{\"filePath\":\"/bench/web/a.js\",\"messages\":[{\"ruleId\":\"no-var\",\"severity\":2,\"message\":\"Unexpected var.\",\"line\":4},{\"ruleId\":\"x\",\"severity\":1,\"message\":\"m\",\"line\":1}]}]\n",
                "web/a.js:4: Unexpected var. (no-var)",
            ),
        ];
        for (linter, output, finding) in cases {
            let found = read(linter, output, "/bench");
            let shown: Vec<String> = found.iter().map(ToString::to_string).collect();
            assert_eq!(shown, [finding], "{linter:?}");
        }
    }

    #[test]
    fn what_is_no_finding_is_not_read_as_one() {
        for line in [
            "",
            "Traceback (most recent call last):",
            "  File \"x.py\", line 3",
            "error: no such file",
            "http://x:80/y",
            ":1:2: x",
            "a:b:c",
        ] {
            assert_eq!(from_line(line), None, "{line}");
        }
        assert!(read(Linter::Eslint, "Oops! Something went wrong! :(\n", "/").is_empty());
    }

    #[test]
    fn only_what_grew_counts_wherever_the_lines_are() {
        let finding = |path: &str, line, text: &str| Finding {
            path: path.to_owned(),
            line,
            text: text.to_owned(),
        };
        let before = [finding("a.py", 1, "F401"), finding("a.py", 9, "E501")];
        let now = vec![
            finding("a.py", 11, "F401"),
            finding("a.py", 12, "F401"),
            finding("a.py", 2, "E501"),
            finding("b.py", 1, "E501"),
        ];
        let new = grown(now, &before);
        assert_eq!(
            new,
            [finding("a.py", 12, "F401"), finding("b.py", 1, "E501")]
        );
    }
}
