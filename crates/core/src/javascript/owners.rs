//! Which module lacks the name that a test stumbles over.
//!
//! Where modules are translated, a name that a module does not export is `undefined`, and a test that uses it fails by
//! a type error that names neither the module nor, often, the name. Both are in the test's file, on the line of the
//! error.

use tree_sitter::Node;

use super::declared::{candidates, resolve};
use super::lines::line_of;
use super::names::{all, lacking_names};
use super::parsing::parse;
use super::spelling::Spelling;
use crate::test_outcome::{FailureKind, Raised, Report};

/// Turns type errors on lines of tests that use a name which its module lacks into missing names, whose owner is the
/// module. `tests` are paths and texts, `read` gives the text of a file of the tree.
pub fn attribute_missing_names(
    report: &mut Report,
    tests: &[(String, String)],
    read: &dyn Fn(&str) -> Option<String>,
) {
    for raised in report.raised_mut() {
        attribute(raised, tests, read);
    }
}

fn attribute(
    raised: &mut Raised,
    tests: &[(String, String)],
    read: &dyn Fn(&str) -> Option<String>,
) {
    let Some(crash) = raised.crash.as_ref() else {
        return;
    };
    if raised.kind != FailureKind::WrongCall || raised.class != "TypeError" {
        return;
    }
    let Some((path, text)) = tests.iter().find(|(path, _)| *path == crash.path) else {
        return;
    };
    let asked = asked_at(path, text, crash.line);
    let lacking = asked.into_iter().find_map(|(module, name)| {
        let file = candidates(&module).into_iter().find_map(|file| {
            let text = read(&file)?;
            Some((file, text))
        });
        let (file, text) = file?;
        let lacks = !lacking_names(&file, Some(&text), &[name], read).is_empty();
        // Assignments to `exports` are not known before they run.
        let is_known = !super::names::exports(&file, &text).is_commonjs;
        (lacks && is_known).then_some((module, file))
    });
    if let Some((module, file)) = lacking {
        raised.kind = FailureKind::MissingName;
        raised.owner = Some(module);
        raised.owner_path = Some(file);
        raised.owner_is_module = true;
    }
}

/// The modules of the project whose names are used on a line, with the names.
fn asked_at(path: &str, text: &str, line: u32) -> Vec<(String, String)> {
    let Some(tree) = parse(path, text) else {
        return Vec::new();
    };
    let spelling = Spelling::of(tree.root_node(), text);
    let on_line = all(tree.root_node()).filter(|node| line_of(*node) == line);
    let asked = on_line.filter_map(|node| {
        let is_part = is_object_of_member(node);
        let found = spelling.path(node, text)?;
        let specifier = found.first().filter(|name| name.starts_with('.'))?;
        let name = match found.get(1) {
            Some(name) => name.clone(),
            None if is_part => return None,
            None => "default".to_owned(),
        };
        Some((resolve(path, specifier)?, name))
    });
    asked.collect()
}

fn is_object_of_member(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| {
        matches!(parent.kind(), "member_expression" | "subscript_expression")
            && parent.child_by_field_name("object") == Some(node)
    })
}

#[cfg(test)]
mod tests {
    use super::attribute_missing_names;
    use crate::test_outcome::{CollectionError, FailureKind, Location, Raised, Report};

    fn attributed(line: &str, source: &str) -> Raised {
        let text = format!(
            "import d, {{ have, lacks }} from '../src/a.js';\nimport * as ns from '../src/a.js';\n{line}\n"
        );
        let tests = [("test/a.test.ts".to_owned(), text)];
        let raised = Raised {
            kind: FailureKind::WrongCall,
            class: "TypeError".to_owned(),
            crash: Some(Location {
                path: "test/a.test.ts".to_owned(),
                line: 3,
            }),
            ..Raised::default()
        };
        let mut report = Report {
            errors: vec![CollectionError {
                file: "test/a.test.ts".to_owned(),
                raised,
            }],
            ..Report::default()
        };
        let read = |path: &str| (path == "src/a.ts").then(|| source.to_owned());
        attribute_missing_names(&mut report, &tests, &read);
        report.errors.remove(0).raised
    }

    #[test]
    fn a_name_that_the_module_lacks_is_what_is_missing() {
        for line in [
            "lacks(1);",
            "new lacks();",
            "lacks.x;",
            "ns.lacks(1);",
            "d(have);",
        ] {
            let raised = attributed(line, "export const have = 1;");
            assert_eq!(raised.kind, FailureKind::MissingName, "{line}");
            assert_eq!(raised.owner.as_deref(), Some("./src/a"), "{line}");
            assert_eq!(raised.owner_path.as_deref(), Some("src/a.ts"), "{line}");
        }
    }

    #[test]
    fn other_errors_stay_what_they_are() {
        for line in ["have(1);", "ns.have(1);", "other(1);", "x.lacks();"] {
            let raised = attributed(line, "export const have = 1;");
            assert_eq!(raised.kind, FailureKind::WrongCall, "{line}");
        }
        let raised = attributed("lacks(1);", "exports.have = 1;");
        assert_eq!(raised.kind, FailureKind::WrongCall);
    }
}
