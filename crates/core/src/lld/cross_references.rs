//! Names in the Definition of Done have to occur somewhere else in the document.

use pulldown_cmark::{Event, Parser};

use super::{LldProblem, LowLevelDesign, Section};
use crate::limits::ProblemKind;

/// Files that the list of files does not have, and functions that the section of functions does not have.
pub(super) fn check_cross_references(design: &LowLevelDesign) -> Vec<LldProblem> {
    let functions: String = design
        .sections
        .iter()
        .filter(|section| has_number(section, "2.4") || mentions(section, "function signature"))
        .map(|section| section.text.as_str())
        .collect();
    let mut problems = Vec::new();
    for section in definition_of_done(&design.sections) {
        for (code, line) in code_spans(section) {
            let name = code.strip_suffix("()");
            if is_path(&code) && !is_listed(design, &code) {
                problems.push(LldProblem {
                    kind: ProblemKind::LldUnlistedFile,
                    message: format!(
                        "the definition of done names {code:?}, which the table of files does not \
                         list; add a row for it, or correct the path"
                    ),
                    line,
                });
            } else if let Some(name) = name
                && !functions.is_empty()
                && !functions.contains(name)
            {
                problems.push(LldProblem {
                    kind: ProblemKind::LldUnknownFunction,
                    message: format!(
                        "the definition of done names {code:?}, which is not among the function \
                         signatures; add it there, or correct the name"
                    ),
                    line,
                });
            }
        }
    }
    problems
}

/// The section and its subsections.
fn definition_of_done(sections: &[Section]) -> &[Section] {
    let is_it = |section: &Section| mentions(section, "definition of done");
    let Some(start) = sections.iter().position(is_it) else {
        return &[];
    };
    let level = sections[start].level;
    let length = sections[start + 1..]
        .iter()
        .position(|section| section.level <= level)
        .unwrap_or(sections.len() - start - 1);
    &sections[start..=start + length]
}

fn mentions(section: &Section, words: &str) -> bool {
    section.heading.to_lowercase().contains(words)
}

fn has_number(section: &Section, number: &str) -> bool {
    let first = section.heading.split_whitespace().next();
    first.is_some_and(|word| word.trim_end_matches('.') == number)
}

/// Code between backticks, with the line it is in.
fn code_spans(section: &Section) -> Vec<(String, usize)> {
    let text = &section.text;
    Parser::new(text)
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Code(code) => {
                let lines = text[..range.start].matches('\n').count();
                Some((code.trim().to_owned(), section.line + 1 + lines))
            }
            _ => None,
        })
        .collect()
}

/// Whether this can only be meant as a file of the repository.
fn is_path(code: &str) -> bool {
    let is_plain = |character: char| character.is_alphanumeric() || "/._-".contains(character);
    code.rsplit_once('/').is_some_and(|(_, name)| {
        name.rsplit_once('.')
            .is_some_and(|(stem, extension)| !stem.is_empty() && !extension.is_empty())
    }) && code.chars().all(is_plain)
        && !code.starts_with('/')
}

fn is_listed(design: &LowLevelDesign, path: &str) -> bool {
    design.files.iter().any(|file| {
        let below = path.strip_prefix(file.path.trim_end_matches('/'));
        file.path == path || file.is_directory && below.is_some_and(|rest| rest.starts_with('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::check_cross_references;
    use crate::limits::ProblemKind;

    #[test]
    fn names_of_the_definition_of_done_are_looked_up() {
        let design = parse(
            "# 1 - Title\n\n## 2. Changes\n\n### 2.1 Files Changed\n\n\
             | File | Change Type | Description |\n|---|---|---|\n\
             | `src/a.py` | Add | a |\n| `src/data/` | Add (Directory) | d |\n\n\
             ### 2.4 Function Signatures\n\n```python\ndef load(): ...\n```\n\n\
             ## 12. Definition of Done\n\n- [ ] `src/a.py` works, `a/b` too, see `python -m x/y.py`\n\n\
             ### 12.1 Traceability\n\n- `src/data/x.json` ✓\n- `src/b.py`\n- risk → `load()` ✓\n\
             - risk → `store()` ✓\n\n## 13. Notes\n\n`src/c.py`\n",
        );
        let found: Vec<_> = check_cross_references(&design)
            .into_iter()
            .map(|problem| (problem.kind, problem.line))
            .collect();
        assert_eq!(
            found,
            [
                (ProblemKind::LldUnlistedFile, 25),
                (ProblemKind::LldUnknownFunction, 27),
            ]
        );
    }
}
