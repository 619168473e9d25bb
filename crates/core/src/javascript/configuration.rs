//! The part of a `package.json` that acts on a runner.

use super::ordered_json::Json;

/// Keys that act on nothing while tests run: the package's description and its dependencies. Packages are installed
/// from the checkout, so a declared dependency alone changes nothing.
///
/// Every other key is the base's. Of those that are known: `jest`, `vitest`, `mocha`, `ava`, `tap`, `c8` and `nyc`
/// configure runners; `babel`, `browserslist`, `swc` and `postcss` say how code is translated; `type` decides whether a
/// file is a module of one kind or the other; `name` with `exports` takes precedence over an installed package of that
/// name, `imports` and `browser` map names to files, `main` and `module` decide what importing a folder gives; a test
/// command may start `scripts`, `config` and `nodeArgs` give them options; `workspaces`, `pnpm`, `overrides`,
/// `resolutions` and `packageManager` decide which packages are installed. An unknown key may be any tool's.
const OWN: [&str; 23] = [
    "author",
    "bin",
    "bugs",
    "bundledDependencies",
    "contributors",
    "cpu",
    "dependencies",
    "description",
    "devDependencies",
    "engines",
    "files",
    "funding",
    "homepage",
    "keywords",
    "license",
    "man",
    "optionalDependencies",
    "os",
    "peerDependencies",
    "peerDependenciesMeta",
    "publishConfig",
    "repository",
    "version",
];

/// Keys that a file which is new may have besides: there was nothing to load in its folder before, and all that they decide
/// is how its own code is loaded.
const OWN_OF_NEW: [&str; 4] = ["main", "module", "private", "type"];

/// Maps from names to files. Names that the base has stay as they are; new names may be added.
const MAPS: [(&str, char); 2] = [("exports", '.'), ("imports", '#')];

/// The new file with the old one's keys that act on a runner; `None` if the file is to be absent. Where one of them
/// cannot be read, the old one counts: nothing else is certain not to configure anything.
pub fn held_package_json(before: Option<&[u8]>, after: Option<&[u8]>) -> Option<Vec<u8>> {
    let Some(after) = after else {
        return before.map(<[u8]>::to_vec);
    };
    let old = before.map(Json::object);
    let (Some(new), None | Some(Some(_))) = (Json::object(after), &old) else {
        return before.map(<[u8]>::to_vec);
    };
    let held = held(old.flatten().as_deref(), &new);
    if held == new {
        return Some(after.to_vec());
    }
    let mut text = Json::Object(held).text()?;
    text.push('\n');
    Some(text.into_bytes())
}

type Members = [(String, Json)];

fn held(old: Option<&Members>, new: &Members) -> Vec<(String, Json)> {
    let base = old.unwrap_or_default();
    let is_own = |key: &str| OWN.contains(&key) || (old.is_none() && OWN_OF_NEW.contains(&key));
    let mut found = Vec::new();
    for (key, value) in new {
        if is_own(key) {
            found.push((key.clone(), value.clone()));
        } else if let Some(was) = value_of(base, key) {
            found.push((key.clone(), with_new_names(key, was, value)));
        }
    }
    let gone = base.iter().filter(|(key, _)| !is_own(key));
    let gone = gone.filter(|(key, _)| value_of(new, key).is_none());
    found.extend(gone.cloned());
    found
}

/// The base's value of a key, with the names that are new in a map.
fn with_new_names(key: &str, was: &Json, is: &Json) -> Json {
    let mark = MAPS.iter().find(|(map, _)| *map == key);
    let (Some((_, mark)), Json::Object(old), Json::Object(new)) = (mark, was, is) else {
        return was.clone();
    };
    let is_map = |members: &Members| members.iter().all(|(name, _)| name.starts_with(*mark));
    if !is_map(old) || !is_map(new) {
        return was.clone();
    }
    let mut members = old.clone();
    // A pattern may take names in that had another place.
    let added = new.iter().filter(|(name, _)| !name.contains('*'));
    let added = added.filter(|(name, _)| value_of(old, name).is_none());
    members.extend(added.cloned());
    let same = members.len() == new.len() && members.iter().all(|pair| new.contains(pair));
    Json::Object(if same { new.clone() } else { members })
}

fn value_of<'m>(members: &'m Members, key: &str) -> Option<&'m Json> {
    let found = members.iter().find(|(name, _)| name == key);
    found.map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::held_package_json;

    fn held(before: Option<&str>, after: Option<&str>) -> Option<String> {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        held_package_json(bytes(before).as_deref(), bytes(after).as_deref())
            .map(|bytes| String::from_utf8(bytes).expect("text"))
    }

    #[test]
    fn what_acts_on_nothing_is_the_new_files() {
        let base = r#"{"name":"a","version":"1","type":"module","jest":{"bail":1}}"#;
        let other = r#"{"name":"a","version":"2", "type":"module","jest":{"bail":1},"dependencies":{"z":"1"}}"#;
        assert_eq!(held(Some(base), Some(other)).as_deref(), Some(other));
    }

    #[test]
    fn what_acts_is_the_bases() {
        let base = r#"{"name":"a","version":"1","type":"module","scripts":{"test":"vitest"}}"#;
        let table = [
            r#"{"name":"chai","version":"2","type":"module","scripts":{"test":"vitest"}}"#,
            r#"{"name":"a","version":"2","type":"commonjs","scripts":{"test":"vitest"}}"#,
            r#"{"name":"a","version":"2","type":"module","scripts":{"test":"true"}}"#,
            r#"{"name":"a","version":"2","type":"module","scripts":{"test":"vitest"},"jest":{}}"#,
            r#"{"name":"a","version":"2","type":"module","scripts":{"test":"vitest"},"browser":{"chai":"./x"}}"#,
            r#"{"name":"a","version":"2","type":"module","scripts":{"test":"vitest"},"unheard":1}"#,
            r#"{"version":"2"}"#,
        ];
        for after in table {
            let text = held(Some(base), Some(after)).expect("a file");
            let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let expected: serde_json::Value =
                serde_json::from_str(&base.replace("\"1\"", "\"2\"")).expect("JSON");
            assert_eq!(found, expected, "{after}");
        }
    }

    #[test]
    fn a_map_of_names_may_grow_and_keeps_its_order() {
        let base = r##"{"exports":{".":{"import":"./a.mjs","default":"./a.cjs"}},"imports":{"#t":"./t.js"}}"##;
        let grown = r##"{"exports":{".":{"import":"./a.mjs","default":"./a.cjs"},"./b":"./b.js"},"imports":{"#t":"./t.js","#u":"./u.js"}}"##;
        assert_eq!(held(Some(base), Some(grown)).as_deref(), Some(grown));
        let turned = grown.replace("./t.js", "./fake.js");
        let text = held(Some(base), Some(&turned)).expect("a file");
        assert!(text.contains("./t.js") && text.contains("./u.js"), "{text}");
        assert!(!text.contains("fake"), "{text}");
        let (import, default) = (text.find("import\""), text.find("default"));
        assert!(import < default, "{text}");
        let wide = base.replace(r#""imports":{"#, r##""imports":{"#*":"./all/*.js","##);
        let text = held(Some(base), Some(&wide)).expect("a file");
        assert!(!text.contains("all/"), "{text}");
        let none = r#"{"version":"1"}"#;
        let text = held(Some(none), Some(grown)).expect("a file");
        assert!(!text.contains("exports"), "{text}");
    }

    #[test]
    fn a_new_file_says_how_its_own_code_is_loaded_and_no_more() {
        let new = r#"{"type":"module","main":"a.js","name":"chai","exports":"./a.js"}"#;
        let text = held(None, Some(new)).expect("a file");
        assert!(text.contains("module") && text.contains("main"), "{text}");
        assert!(
            !text.contains("chai") && !text.contains("exports"),
            "{text}"
        );
    }

    #[test]
    fn what_is_gone_stays_and_what_cannot_be_read_is_not_used() {
        assert_eq!(held(Some("{}"), None).as_deref(), Some("{}"));
        assert_eq!(held(Some("{}"), Some("{\"a\":")).as_deref(), Some("{}"));
        assert_eq!(held(Some("[]"), Some("{}")).as_deref(), Some("[]"));
        assert_eq!(held(None, Some("[]")), None);
    }

    #[test]
    fn the_last_of_two_equal_keys_counts_as_it_does_for_node() {
        let twice = r#"{"type":"module","version":"1","type":"commonjs"}"#;
        let text = held(Some(r#"{"type":"module"}"#), Some(twice)).expect("a file");
        assert!(!text.contains("commonjs"), "{text}");
    }
}
