//! The path that a missing module would have.

use crate::path::ProjectPath;

/// The file of a module that may have others in it, by its dotted name. `is_source_package` says whether `src` has a
/// directory of this name, in which the module is then looked for.
pub fn place_of_module(
    module: &str,
    is_source_package: impl Fn(&str) -> bool,
) -> Option<ProjectPath> {
    let inside = module.replace('.', "/");
    let top = inside.split('/').next().unwrap_or_default();
    let root = if is_source_package(top) { "src/" } else { "" };
    ProjectPath::parse(&format!("{root}{inside}/__init__.py")).ok()
}

#[cfg(test)]
mod tests {
    use super::place_of_module;

    #[test]
    fn a_module_lies_below_src_where_its_package_does() {
        let place = |module| place_of_module(module, |top| top == "app");
        assert_eq!(
            place("app.core").expect("a path").as_str(),
            "src/app/core/__init__.py"
        );
        assert_eq!(place("tool").expect("a path").as_str(), "tool/__init__.py");
        assert_eq!(place("..x"), None);
    }
}
