//! Examples in documentation that pytest runs as tests.

/// Whether an id may be that of an example in documentation: it has the dotted name of the documented object, or the
/// name of a text file, where a test has the name of a function. A function may be named like its module, so the file's
/// contents decide.
pub(crate) fn may_be_doctest(id: &str) -> bool {
    let Some((file, name)) = id.split_once("::") else {
        return false;
    };
    let file_name = file.rsplit('/').next().unwrap_or(file);
    let Some(module) = file_name.strip_suffix(".py") else {
        return name == file_name;
    };
    let is_name = |part: &str| {
        let mut letters = part.chars();
        !part.is_empty() && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    name == module || name.contains('.') && name.split('.').all(is_name)
}

#[cfg(test)]
mod tests {
    use super::may_be_doctest;

    #[test]
    fn an_example_is_known_by_its_name() {
        for (id, is_one) in [
            ("src/more.py::more", true),
            ("src/pkg/more.py::pkg.more.add", true),
            ("docs/guide.rst::guide.rst", true),
            ("README.md::README.md", true),
            ("tests/test_a.py::test_add", false),
            ("tests/test_a.py::test_add[1.5]", false),
            ("tests/test_a.py::TestA::test_add", false),
            ("src/a.test.ts::Money.add", false),
        ] {
            assert_eq!(may_be_doctest(id), is_one, "{id}");
        }
    }
}
