//! Stubs for names that a Python module lacks.

use std::fmt::Write as _;

use crate::stubs::StubKind;

const STUBS: &str = include_str!("stub.py");

/// A module, existing or not, that has every name it lacks. The `given` names exist for `import *` too.
pub fn with_stubs(source: &str, kind: StubKind, given: &[&str]) -> String {
    let raising = match kind {
        StubKind::Raising => "True",
        StubKind::Answering => "False",
    };
    let mut names = String::from("(");
    for name in given {
        let _ = write!(names, "{name:?}, ");
    }
    names.push(')');
    let stubs = STUBS.replace("RAISING", raising).replace("GIVEN", &names);
    format!("{source}\n\n{stubs}")
}

#[cfg(test)]
mod tests {
    use super::with_stubs;
    use crate::stubs::StubKind;

    #[test]
    fn a_module_keeps_what_it_has() {
        let stubbed = with_stubs("def a():\n    return 1", StubKind::Raising, &["f", "g"]);
        assert!(stubbed.starts_with("def a():\n    return 1\n"));
        assert!(stubbed.contains(r#", True, ("f", "g", ), "#), "{stubbed}");
        let stubbed = with_stubs("", StubKind::Answering, &[]);
        assert!(stubbed.contains(", False, (), "), "{stubbed}");
    }
}
