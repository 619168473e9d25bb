//! Files as syntax trees.

use tree_sitter::{Language, Parser, Tree};

/// Endings of names of files that the runners load as code.
const ENDINGS: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];

/// Whether a file of this name is JavaScript or TypeScript.
pub fn is_javascript(path: &str) -> bool {
    ending(path).is_some_and(|ending| ENDINGS.contains(&ending))
}

/// The tree of a file; none if the parser gives up. A tree may have errors in it.
pub(crate) fn parse(path: &str, text: &str) -> Option<Tree> {
    parse_from(path, text, None)
}

/// The same, where the tree of a text is known that differs in a few places, which that tree was told of.
pub(super) fn parse_from(path: &str, text: &str, old: Option<&Tree>) -> Option<Tree> {
    let language: Language = match ending(path) {
        Some("ts" | "mts" | "cts") => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        Some("tsx") => tree_sitter_typescript::LANGUAGE_TSX.into(),
        _ => tree_sitter_javascript::LANGUAGE.into(),
    };
    let mut parser = Parser::new();
    parser.set_language(&language).ok()?;
    parser.parse(text, old)
}

fn ending(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map(|(_, ending)| ending)
}

#[cfg(test)]
mod tests {
    use super::is_javascript;

    #[test]
    fn endings_decide() {
        for yes in ["a.js", "src/a.test.ts", "a.mts", "b.cjs", "c.tsx"] {
            assert!(is_javascript(yes), "{yes}");
        }
        for no in ["a.json", "a.py", "js", "a.js/readme", ".gitignore"] {
            assert!(!is_javascript(no), "{no}");
        }
    }
}
