//! Which modules a design's files make importable.

use std::collections::BTreeSet;

/// Whether `module` can be imported once these files exist.
///
/// `roots` are the directories of the tree that are searched for modules; the tree itself and
/// `src` always count. Parents of a declared module count as packages, with or without an
/// `__init__.py`.
pub(crate) fn makes_importable(declared: &[String], module: &str, roots: &[String]) -> bool {
    let roots: BTreeSet<&str> = roots
        .iter()
        .map(|root| root.trim_matches('/'))
        .chain(["", "src"])
        .collect();
    let mut modules = declared
        .iter()
        .filter(|path| path.rsplit('.').next().is_some_and(is_python));
    modules.any(|path| {
        roots
            .iter()
            .filter_map(|root| beneath(path, root))
            .any(|path| provides(path, module))
    })
}

fn is_python(extension: &str) -> bool {
    matches!(extension, "py" | "pyi" | "pyx" | "so")
}

fn beneath<'a>(path: &'a str, root: &str) -> Option<&'a str> {
    if root.is_empty() {
        return Some(path);
    }
    path.strip_prefix(root)?.strip_prefix('/')
}

/// Whether the file at `path`, seen from a searched directory, is `module` or lies in it.
fn provides(path: &str, module: &str) -> bool {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    let mut wanted = module.split('.');
    let mut parts = stem.split('/');
    loop {
        match (wanted.next(), parts.next()) {
            (None, _) => return true,
            (Some(name), Some(part)) if name == part => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::dialect::Declared;

    #[test]
    fn modules_follow_from_paths() {
        let table: &[(&str, &str, bool)] = &[
            ("app/core.py", "app.core", true),
            ("app/core.py", "app", true),
            ("app/core.py", "core", false),
            ("app/core.py", "app.core.deeper", false),
            ("app/core.py", "app.other", false),
            ("app/core.py", "ap", false),
            ("./app/core.py", "app.core", true),
            ("src/app/core.py", "app.core", true),
            ("src/app/core.py", "src.app.core", true),
            ("src/app/__init__.py", "app", true),
            ("app/__init__.py", "app.__init__", false),
            ("tool.py", "tool", true),
            ("docs/app.md", "docs.app", false),
            ("Makefile", "Makefile", false),
            ("scripts/tool.py", "tool", false),
        ];
        for (path, module, expected) in table {
            let declared = Declared::from_paths(&[(*path).to_owned()]);
            assert_eq!(
                declared.makes_importable(module, &[]),
                *expected,
                "{path} for {module}"
            );
        }
    }

    #[test]
    fn searched_directories_of_the_tree_count() {
        let declared = Declared::from_paths(&["scripts/tool.py".to_owned()]);
        assert!(declared.makes_importable("tool", &["scripts".to_owned()]));
        assert!(!declared.makes_importable("tool", &["scr".to_owned()]));
    }
}
