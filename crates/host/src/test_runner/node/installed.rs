//! Tells one state of a project's installed packages from another.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use proctor_core::safe_write::sha256;

use super::find::NodeCommand;
use super::packages::{CACHES, MODULES, directories, is_scope, normal};

/// Files in which package managers list everything that they installed into a `node_modules`.
const LISTS: [&str; 6] = [
    ".package-lock.json",
    ".modules.yaml",
    ".pnpm/lock.yaml",
    ".yarn-integrity",
    ".yarn-state.yml",
    ".bun-tag",
];

/// Node and the installed packages, as names, sizes, times and the package managers' own lists. The same for two checkouts that link to
/// the same packages. Nothing where tests can load a package that no list mentions.
pub fn installed_modules(command: &NodeCommand, checkout: &Path) -> Option<String> {
    let checkout = fs::canonicalize(checkout).ok()?;
    let node = fs::canonicalize(&command.node).ok()?;
    let mut state = State::default();
    let _ = write!(
        state.text,
        "{} {}\n{} ",
        command.runner.name(),
        command.version,
        node.display()
    );
    state.facts(&fs::metadata(&node).ok()?);
    let mut waiting = vec![PathBuf::new()];
    while let Some(place) = waiting.pop() {
        let modules = checkout.join(&place).join(MODULES);
        if modules.symlink_metadata().is_ok() {
            let _ = writeln!(state.text, "{}", place.display());
            state.modules(&modules, &checkout)?;
        }
        let mut below = directories(&checkout, &place).ok()?;
        below.retain(|path| !path.file_name().is_some_and(is_hidden));
        below.sort();
        waiting.extend(below);
    }
    let mut described = BTreeSet::new();
    while let Some(modules) = state.elsewhere.pop_first() {
        if described.insert(modules.clone()) {
            let _ = writeln!(state.text, "{}", modules.display());
            state.modules(&modules, modules.parent()?)?;
        }
    }
    Some(state.text)
}

#[derive(Default)]
struct State {
    text: String,
    /// The `node_modules` outside of the checkout that links lead to.
    elsewhere: BTreeSet<PathBuf>,
}

impl State {
    /// Describes one `node_modules`; links out of `root` lead to another.
    fn modules(&mut self, modules: &Path, root: &Path) -> Option<()> {
        if modules.is_symlink() {
            return self.link(modules, root);
        }
        let mut is_listed = false;
        for name in LISTS {
            if let Ok(content) = fs::read(modules.join(name)) {
                let _ = writeln!(self.text, "{name} {}", sha256(&content));
                is_listed = true;
            }
        }
        let only_links = self.entries(modules, root)?;
        // A package of a workspace has no list of its own, only links to packages that the root's list has.
        (is_listed || only_links).then_some(())
    }

    /// Describes the entries of a directory; whether all packages among them are links.
    fn entries(&mut self, directory: &Path, root: &Path) -> Option<bool> {
        let mut names: Vec<_> = fs::read_dir(directory)
            .ok()?
            .map(|entry| Some(entry.ok()?.file_name()))
            .collect::<Option<_>>()?;
        names.retain(|name| !CACHES.iter().any(|cache| name == *cache));
        names.sort();
        let mut only_links = true;
        for name in names {
            let path = directory.join(&name);
            let facts = path.symlink_metadata().ok()?;
            let _ = write!(self.text, "{} ", name.display());
            if facts.is_symlink() {
                self.link(&path, root)?;
            } else if facts.is_dir() && is_scope(&name) {
                only_links &= self.entries(&path, root)?;
            } else {
                only_links &= !facts.is_dir() || is_hidden(&name);
                self.facts(&facts);
            }
        }
        Some(only_links)
    }

    /// A link is its text. One that leads out of the root has to lead to packages that a list has.
    fn link(&mut self, path: &Path, root: &Path) -> Option<()> {
        let text = fs::read_link(path).ok()?;
        let _ = writeln!(self.text, "{}", text.display());
        if normal(&path.parent()?.join(&text)).starts_with(root) {
            return Some(());
        }
        let target = fs::canonicalize(path).ok()?;
        let is_listed = |directory: &&Path| {
            let is_modules = directory.file_name() == Some(OsStr::new(MODULES));
            is_modules && LISTS.iter().any(|name| directory.join(name).is_file())
        };
        let modules = target.ancestors().find(is_listed)?;
        self.elsewhere.insert(modules.to_owned());
        Some(())
    }

    fn facts(&mut self, facts: &Metadata) {
        let (size, seconds, rest) = (facts.size(), facts.mtime(), facts.mtime_nsec());
        let _ = writeln!(self.text, "{size} {seconds}.{rest}");
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use proctor_core::dialect::Runner;

    use super::super::packages::tests::World;
    use super::*;

    /// Names, each with a text.
    type Texts = &'static [(&'static str, &'static str)];

    fn installed(world: &World, checkout: &str) -> Option<String> {
        let command = NodeCommand {
            runner: Runner::Vitest,
            node: world.at("node"),
            program: None,
            version: "4.0.0".to_owned(),
            options: Vec::new(),
            loaded: Vec::new(),
            patterns: Vec::new(),
        };
        installed_modules(&command, &world.at(checkout))
    }

    #[test]
    fn what_is_installed_changes_with_every_package() {
        let world = World::new(
            &[
                ("node", ""),
                ("checkout/node_modules/.package-lock.json", "{}"),
                ("checkout/node_modules/dep/index.js", ""),
            ],
            &[("checkout/node_modules/@w/a", "../../packages/a")],
        );
        let before = installed(&world, "checkout").expect("every package is listed");
        assert_eq!(installed(&world, "checkout"), Some(before.clone()));
        world.write("checkout/node_modules/.package-lock.json", "{ }");
        let after = installed(&world, "checkout").expect("every package is listed");
        assert_ne!(after, before);
        world.write("checkout/packages/a/node_modules/.package-lock.json", "{}");
        assert_ne!(installed(&world, "checkout"), Some(after));
    }

    #[test]
    fn checkouts_that_link_to_the_same_packages_have_the_same_installed() {
        let list = "shared/node_modules/.package-lock.json";
        let world = World::new(
            &[
                ("node", ""),
                (list, "{}"),
                ("shared/node_modules/dep/index.js", ""),
            ],
            &[
                ("one/node_modules/dep", "ROOT/shared/node_modules/dep"),
                ("two/node_modules/dep", "ROOT/shared/node_modules/dep"),
                ("three/node_modules", "ROOT/shared/node_modules"),
            ],
        );
        let one = installed(&world, "one").expect("every package is listed");
        assert_eq!(installed(&world, "two"), Some(one.clone()));
        let three = installed(&world, "three").expect("every package is listed");
        world.write(list, "{ }");
        assert_ne!(installed(&world, "one"), Some(one));
        assert_ne!(installed(&world, "three"), Some(three));
    }

    #[test]
    fn a_package_that_no_list_mentions_cannot_be_told() {
        let table: [(Texts, Texts, bool); 5] = [
            (&[("checkout/node_modules/dep/index.js", "")], &[], false),
            (
                &[("checkout/node_modules/.modules.yaml", "")],
                &[("checkout/node_modules/far", "../../elsewhere")],
                false,
            ),
            (
                &[("other/node_modules/dep/index.js", "")],
                &[("checkout/node_modules/dep", "../../other/node_modules/dep")],
                false,
            ),
            (
                &[("checkout/node_modules/.modules.yaml", "")],
                &[("checkout/node_modules/near", ".pnpm/near")],
                true,
            ),
            (&[("checkout/a.js", "")], &[], true),
        ];
        for (files, links, can_be_told) in table {
            let world = World::new(files, links);
            world.write("node", "");
            world.write("elsewhere/index.js", "");
            assert_eq!(
                installed(&world, "checkout").is_some(),
                can_be_told,
                "{files:?} {links:?}"
            );
        }
    }
}
