//! Examples in documentation that pytest runs as tests.

/// Whether an id is that of an example in documentation: it has the dotted name of what is documented, or
/// the name of a text file, where a test has the name of a function.
pub(crate) fn is_doctest(id: &str) -> bool {
    let Some((file, name)) = id.split_once("::") else {
        return false;
    };
    let file_name = file.rsplit('/').next().unwrap_or(file);
    let dotted = name.split('.').all(|part| {
        !part.is_empty()
            && part
                .chars()
                .all(|character| character.is_alphanumeric() || character == '_')
    });
    name == file_name
        || file_name.strip_suffix(".py") == Some(name)
        || (dotted && name.contains('.'))
}
