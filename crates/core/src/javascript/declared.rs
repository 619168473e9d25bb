//! The modules that a design's files provide, and a module's name in the tree.
//!
//! A module of the project is written `./src/add`: its path from the top of the tree, without the ending of its file.
//! Everything else is bare, `lodash` or `@scope/name/part`.

use super::is_javascript;
use crate::path::ProjectPath;

/// Beginnings of bare specifiers that projects map to their own folders, by custom.
const ALIASES: [&str; 3] = ["@/", "~/", "#"];

/// The module that a file means by a specifier; none if it lies outside of the tree. One that begins with `/` is
/// relative to the top of the tree, as vite writes it.
pub(crate) fn resolve(importer: &str, specifier: &str) -> Option<String> {
    let specifier = specifier.split(['?']).next().unwrap_or(specifier);
    let is_relative = matches!(specifier, "." | "..") || specifier.starts_with("./");
    let mut parts: Vec<&str> = if specifier.starts_with('/') {
        Vec::new()
    } else if is_relative || specifier.starts_with("../") {
        let folder = importer.rsplit_once('/').map_or("", |(folder, _)| folder);
        folder.split('/').filter(|part| !part.is_empty()).collect()
    } else {
        return Some(specifier.to_owned());
    };
    for part in specifier.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    Some(format!("./{}", without_ending(&joined)))
}

/// A path without the ending of a file of code; other endings belong to the name.
pub(super) fn without_ending(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, _)) if is_javascript(path) && !stem.is_empty() => stem,
        _ => path,
    }
}

/// The name that an `index` file provides.
fn without_index(stem: &str) -> &str {
    match stem.strip_suffix("index") {
        Some("") => "",
        Some(folder) => folder.strip_suffix('/').unwrap_or(stem),
        None => stem,
    }
}

/// Whether one of these files, which a design declares, is the module or makes it importable. The module may be
/// written with an ending, in which case TypeScript's habit counts of writing `.js` where the file is `.ts`.
pub fn provides(declared: &[String], module: &str) -> bool {
    declared.iter().any(|path| provides_it(path, module))
}

pub(super) fn provides_it(path: &str, module: &str) -> bool {
    let path = path.trim_start_matches("./");
    if path == module.trim_start_matches("./") {
        return true;
    }
    if !is_javascript(path) || path.ends_with(".d.ts") {
        return false;
    }
    let stem = without_ending(path);
    let is = |wanted: &str| {
        let wanted = without_ending(wanted).trim_end_matches('/');
        stem == wanted || without_index(stem) == without_index(wanted)
    };
    if let Some(wanted) = module.strip_prefix("./") {
        return is(wanted);
    }
    let alias = ALIASES.iter().find_map(|alias| module.strip_prefix(alias));
    let Some(wanted) = alias else {
        // From the top of the tree, where the project's options say so.
        return module.contains('/') && is(module);
    };
    // Which folder an alias means is the configuration's affair.
    let wanted = without_ending(wanted);
    let ends = |stem: &str| {
        let before = stem.strip_suffix(wanted);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    !wanted.is_empty() && (ends(stem) || ends(without_index(stem)))
}

/// The path of a missing module of the project: the file that a design declares for it, or else one with the ending of
/// the import. None for a bare module that no design declares.
///
/// `asked_as` are the paths that tests import, with the ending that they wrote.
pub fn place_of_module(
    module: &str,
    declared: &[String],
    asked_as: &[String],
    is_typescript: bool,
) -> Option<ProjectPath> {
    let own = declared.iter().find(|path| provides_it(path, module));
    if let Some(path) = own {
        return ProjectPath::parse(path.trim_start_matches("./")).ok();
    }
    let stem = match module.strip_prefix("./")? {
        "" => "index",
        stem => stem,
    };
    let mut asked = asked_as.iter().map(|path| path.trim_start_matches("./"));
    let written = asked.find(|path| is_javascript(path) && without_ending(path) == stem);
    let path = match (written, is_typescript) {
        (Some(path), true) => in_typescript(path),
        (Some(path), false) => path.to_owned(),
        // Data files and the like keep their names.
        (None, _) if has_other_ending(stem) => stem.to_owned(),
        (None, true) => format!("{stem}.ts"),
        (None, false) => format!("{stem}.js"),
    };
    ProjectPath::parse(&path).ok()
}

fn has_other_ending(stem: &str) -> bool {
    [".json", ".css", ".vue", ".svelte", ".node", ".wasm"]
        .iter()
        .any(|ending| stem.ends_with(ending))
}

/// The file that TypeScript means by an ending of JavaScript.
fn in_typescript(path: &str) -> String {
    let table = [
        (".mjs", ".mts"),
        (".cjs", ".cts"),
        (".jsx", ".tsx"),
        (".js", ".ts"),
    ];
    let found = table
        .iter()
        .find_map(|(ending, other)| Some(format!("{}{other}", path.strip_suffix(ending)?)));
    found.unwrap_or_else(|| path.to_owned())
}

/// The files that may be meant by a module of the project, the likeliest first.
pub(super) fn candidates(module: &str) -> Vec<String> {
    let Some(stem) = module.strip_prefix("./") else {
        return Vec::new();
    };
    let endings = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];
    let files = endings.iter().map(|ending| format!("{stem}.{ending}"));
    let folder = if stem.is_empty() {
        String::new()
    } else {
        format!("{stem}/")
    };
    let inside = endings
        .iter()
        .map(|ending| format!("{folder}index.{ending}"));
    std::iter::once(stem.to_owned())
        .chain(files)
        .chain(inside)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{candidates, place_of_module, provides, resolve};
    use crate::path::ProjectPath;

    #[test]
    fn specifiers_are_resolved_against_the_file_that_has_them() {
        let table = [
            ("test/a.test.js", "../src/add.js", Some("./src/add")),
            ("test/a.test.js", "../src/add", Some("./src/add")),
            ("src/a.test.ts", "./add.mjs", Some("./src/add")),
            ("a.test.js", "./add.utils", Some("./add.utils")),
            ("a.test.js", "./data.json", Some("./data.json")),
            ("test/deep/a.js", "../..", Some("./")),
            ("src/a.test.ts", ".", Some("./src")),
            ("test/a.js", "/src/add.ts", Some("./src/add")),
            ("test/a.js", "./add.ts?raw", Some("./test/add")),
            ("test/a.js", "lodash/fp", Some("lodash/fp")),
            ("test/a.js", "@/add", Some("@/add")),
            ("test/a.js", "../../other/add.js", None),
        ];
        for (importer, specifier, expected) in table {
            let found = resolve(importer, specifier);
            assert_eq!(found.as_deref(), expected, "{specifier} in {importer}");
        }
    }

    #[test]
    fn declared_files_provide_modules() {
        let table = [
            ("src/add.ts", "./src/add", true),
            ("src/add.ts", "./src/add.js", true),
            ("./src/add.ts", "./src/add.ts", true),
            ("src/add/index.js", "./src/add", true),
            ("src/add/index.js", "./src/add/index", true),
            ("index.js", "./", true),
            ("src/data.json", "./src/data.json", true),
            ("src/add.ts", "@/add", true),
            ("src/lib/add/index.ts", "~/lib/add", true),
            ("src/add.ts", "#add", true),
            ("src/add.ts", "src/add", true),
            ("src/add.ts", "./src/add/deeper", false),
            ("src/add.ts", "./src", false),
            ("src/add.ts", "./add", false),
            ("src/add.ts", "add", false),
            ("src/readd.ts", "@/add", false),
            ("src/add.d.ts", "./src/add", false),
            ("src/add.md", "./src/add", false),
            ("lodash.ts", "lodash", false),
        ];
        for (path, module, expected) in table {
            let declared = [path.to_owned()];
            assert_eq!(provides(&declared, module), expected, "{path} for {module}");
        }
    }

    #[test]
    fn a_missing_module_has_a_place() {
        let declared = ["src/add.mts".to_owned()];
        let asked = ["./src/sub.mjs".to_owned()];
        let table = [
            ("./src/add", false, Some("src/add.mts")),
            ("./src/sub", false, Some("src/sub.mjs")),
            ("./src/sub", true, Some("src/sub.mts")),
            ("./src/other", true, Some("src/other.ts")),
            ("./src/other", false, Some("src/other.js")),
            ("./src/data.json", true, Some("src/data.json")),
            ("./", false, Some("index.js")),
            ("lodash", true, None),
        ];
        for (module, is_typescript, expected) in table {
            let place = place_of_module(module, &declared, &asked, is_typescript);
            let place = place.as_ref().map(ProjectPath::as_str);
            assert_eq!(place, expected, "{module}");
        }
        assert_eq!(candidates("./src/a")[1], "src/a.ts");
        assert!(candidates("./").contains(&"index.js".to_owned()));
        assert!(candidates("a").is_empty());
    }
}
