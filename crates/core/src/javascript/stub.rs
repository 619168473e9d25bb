//! Stubs: code with the right names and without their behaviour.
//!
//! Modules of the language have no way of making names when they are asked for, so the names come from the files that ask:
//! see [`imported_names`](super::imported_names).

use std::fmt::Write as _;

use super::is_javascript;
use super::names::{exports, is_name, specifier_of};
use super::parsing::parse;
use crate::javascript::declared::{provides_it, resolve};
use crate::stubs::StubKind;

/// How a module is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModuleForm {
    /// With `import` and `export`.
    Esm,
    /// With `require` and `module.exports`.
    CommonJs,
}

/// The form of a module, existing or not, at `path`: by its ending, by its text, else by the imports in `tests` and by
/// its package's type.
pub fn module_form(
    path: &str,
    source: Option<&str>,
    tests: &[(String, String)],
    package_is_module: bool,
) -> ModuleForm {
    match ending_of(path) {
        "mjs" | "mts" | "ts" | "tsx" => return ModuleForm::Esm,
        "cjs" | "cts" => return ModuleForm::CommonJs,
        _ => {}
    }
    let found = exports(path, source.unwrap_or_default());
    if found.is_esm || found.is_commonjs {
        return if found.is_esm {
            ModuleForm::Esm
        } else {
            ModuleForm::CommonJs
        };
    }
    let requires = |(test, text): &(String, String)| {
        let Some(tree) = parse(test, text) else {
            return false;
        };
        super::names::all(tree.root_node()).any(|node| {
            let module = specifier_of(node, text).and_then(|name| resolve(test, name));
            node.kind() == "call_expression"
                && super::names::text_of(node, text).starts_with("require(")
                && module.is_some_and(|module| provides_it(path, &module))
        })
    };
    let by_node = |(path, _): &(String, String)| ending_of(path) == "mjs";
    if tests.iter().any(requires) || (!package_is_module && tests.iter().any(by_node)) {
        ModuleForm::CommonJs
    } else {
        ModuleForm::Esm
    }
}

fn ending_of(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}

/// The maker of stubs: values that can be called, constructed, inherited from and asked for any member. `NAME: TEXT`
/// and `ANY` are types where there are types.
const MAKER: &str = "\
const __proctor_uses = { count: 0 };
class ProctorStub extends Error {}
ProctorStub.prototype.name = 'ProctorStub';
const __proctor_used = (nameTEXT)VOID => {
  __proctor_uses.count += 1;
  if (RAISING || __proctor_uses.count > 10000) throw new ProctorStub('proctor: ' + name + ' is a stub');
};
const __proctor_hidden = ['then', '__esModule', '$$typeof', 'asymmetricMatch', 'toJSON', 'nodeType', '_isMockFunction'];
const __proctor_stub = (nameTEXT)ANY => new Proxy(function () {}, {
  apply() { __proctor_used(name); },
  construct() { __proctor_used(name); return __proctor_stub(name); },
  get(targetANY, keyANY) {
    if (key === 'name') return name;
    if (typeof key === 'symbol' || key in target) return target[key];
    return __proctor_hidden.includes(key) ? undefined : __proctor_stub(name + '.' + key);
  },
});
";

/// A module, existing or not, that has these names besides its own. Those that it exports already are left alone.
pub fn with_stubs(
    path: &str,
    source: Option<&str>,
    names: &[String],
    form: ModuleForm,
    kind: StubKind,
) -> String {
    let text = source.unwrap_or_default();
    if !is_javascript(path) {
        let is_new_data = source.is_none() && ending_of(path) == "json";
        return if is_new_data {
            "{}\n".to_owned()
        } else {
            text.to_owned()
        };
    }
    let own = exports(path, text).names;
    let wanted: Vec<&String> = names
        .iter()
        .filter(|name| !own.contains(*name) && (is_name(name) || *name == "default"))
        .collect();
    if wanted.is_empty() && source.is_some() {
        return text.to_owned();
    }
    let is_typed = matches!(ending_of(path), "ts" | "mts" | "cts" | "tsx");
    let mut stubbed = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        stubbed.push('\n');
    }
    // A statement before may have no end of its own.
    stubbed.push_str(";\n");
    stubbed.push_str(&maker(is_typed, kind));
    match form {
        ModuleForm::Esm => export_each(&mut stubbed, &wanted, is_typed),
        ModuleForm::CommonJs => assign_each(&mut stubbed, path, &wanted, source.is_none()),
    }
    stubbed
}

fn maker(is_typed: bool, kind: StubKind) -> String {
    let raising = if kind == StubKind::Raising {
        "true"
    } else {
        "false"
    };
    let types = if is_typed {
        [": string", ": void", ": any"]
    } else {
        ["", "", ""]
    };
    MAKER
        .replace("RAISING", raising)
        .replace("TEXT", types[0])
        .replace("VOID", types[1])
        .replace("ANY", types[2])
}

fn export_each(stubbed: &mut String, wanted: &[&String], is_typed: bool) {
    for (index, name) in wanted.iter().enumerate() {
        let any = if is_typed { ": any" } else { "" };
        let _ = write!(
            stubbed,
            "const __proctor_{index}{any} = __proctor_stub('{name}'); "
        );
        if is_typed {
            let _ = write!(stubbed, "type __proctor_{index} = any; ");
        }
        let _ = writeln!(stubbed, "export {{ __proctor_{index} as {name} }};");
    }
    if wanted.is_empty() {
        stubbed.push_str("export {};\n");
    }
}

fn assign_each(stubbed: &mut String, path: &str, wanted: &[&String], is_new: bool) {
    if is_new {
        // The module itself may be asked for.
        let name = path.rsplit('/').next().unwrap_or(path);
        let name = name.split('.').next().unwrap_or(name);
        let _ = writeln!(stubbed, "module.exports = __proctor_stub('{name}');");
    }
    for name in wanted.iter().filter(|name| **name != "default") {
        let _ = writeln!(
            stubbed,
            "if (!Object.prototype.hasOwnProperty.call(Object(module.exports), '{name}')) \
             module.exports.{name} = __proctor_stub('{name}');"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{ModuleForm, module_form, with_stubs};
    use crate::stubs::StubKind;

    fn stubbed(path: &str, source: Option<&str>, names: &[&str], form: ModuleForm) -> String {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        with_stubs(path, source, &names, form, StubKind::Raising)
    }

    #[test]
    fn a_module_keeps_what_it_has() {
        let source = "export const a = 1";
        let text = stubbed(
            "src/m.js",
            Some(source),
            &["a", "b", "not a name"],
            ModuleForm::Esm,
        );
        assert!(text.starts_with("export const a = 1\n;\n"), "{text}");
        assert!(
            text.contains("as b }") && !text.contains("as a }"),
            "{text}"
        );
        assert!(!text.contains("not a name"), "{text}");
        let same = stubbed("src/m.js", Some(source), &["a"], ModuleForm::Esm);
        assert_eq!(same, source);
    }

    #[test]
    fn types_are_written_where_there_are_some() {
        let text = stubbed("src/m.ts", None, &["A"], ModuleForm::Esm);
        assert!(text.contains("type __proctor_0 = any;"), "{text}");
        assert!(text.contains("(name: string): any =>"), "{text}");
        let text = stubbed("src/m.js", None, &["A"], ModuleForm::Esm);
        assert!(!text.contains(": any") && !text.contains("TEXT"), "{text}");
    }

    #[test]
    fn the_two_forms_and_kinds_differ() {
        let text = stubbed("src/m.cjs", None, &["a", "default"], ModuleForm::CommonJs);
        assert!(
            text.contains("module.exports = __proctor_stub('m');"),
            "{text}"
        );
        assert!(
            text.contains("module.exports.a =") && !text.contains("export {"),
            "{text}"
        );
        assert!(text.contains("if (true ||"), "{text}");
        let names = ["a".to_owned()];
        let text = with_stubs("m.js", None, &names, ModuleForm::Esm, StubKind::Answering);
        assert!(text.contains("if (false ||"), "{text}");
    }

    #[test]
    fn data_is_empty() {
        assert_eq!(stubbed("src/a.json", None, &["a"], ModuleForm::Esm), "{}\n");
        assert_eq!(stubbed("src/a.css", None, &[], ModuleForm::Esm), "");
    }

    #[test]
    fn the_form_follows_from_what_is_known() {
        let by = |test: &str, text: &str| vec![(test.to_owned(), text.to_owned())];
        let requires = by("test/a.test.js", "const a = require('../src/m')");
        let imports = by("test/a.test.js", "import a from '../src/m'");
        let native = by("test/a.test.mjs", "import a from '../src/m.js'");
        let folder = by("test/a.test.js", "const a = require('..')");
        let table = [
            ("src/m.mjs", None, &requires, false, ModuleForm::Esm),
            ("src/m.cjs", None, &imports, true, ModuleForm::CommonJs),
            (
                "src/m.js",
                Some("exports.a = 1"),
                &imports,
                true,
                ModuleForm::CommonJs,
            ),
            (
                "src/m.js",
                Some("export {}"),
                &requires,
                false,
                ModuleForm::Esm,
            ),
            ("src/m.js", None, &requires, true, ModuleForm::CommonJs),
            ("src/m.js", None, &imports, false, ModuleForm::Esm),
            ("src/m.js", None, &native, false, ModuleForm::CommonJs),
            ("src/m.js", None, &native, true, ModuleForm::Esm),
            ("index.js", None, &folder, false, ModuleForm::CommonJs),
            ("other.js", None, &folder, false, ModuleForm::Esm),
        ];
        for (path, source, tests, package, form) in table {
            assert_eq!(
                module_form(path, source, tests, package),
                form,
                "{path} {source:?}"
            );
        }
    }
}
