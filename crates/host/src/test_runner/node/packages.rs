//! Makes a project's installed packages available to a tree that is judged.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

/// The directory of packages.
pub(super) const MODULES: &str = "node_modules";
/// Files that tools leave there for themselves: they would be read in one run and not in another.
pub(super) const CACHES: [&str; 5] = [
    ".cache",
    ".vite",
    ".vite-temp",
    ".vitest",
    ".vitest-reports",
];
/// Gives a checked-out tree the packages that are installed in a checkout, also those of packages in it. A package of
/// the project's own is installed as a link to its directory; such a link leads to the same place in the tree, so that
/// the judged code is not the checkout's. Everything else becomes a link to the installed package.
///
/// Existing entries stay, so that it can be done again for another tree in the same place.
pub fn farm(checkout: &Path, tree: &Path) -> io::Result<()> {
    let checkout = fs::canonicalize(checkout)?;
    let tree = fs::canonicalize(tree)?;
    let mut waiting = vec![PathBuf::new()];
    while let Some(place) = waiting.pop() {
        // It may be a link itself, to the packages of another checkout.
        let installed = fs::canonicalize(checkout.join(&place).join(MODULES));
        if let Some(installed) = installed.ok().filter(|path| path.is_dir()) {
            let links = Links {
                checkout: &checkout,
                tree: &tree,
            };
            links.lay(&installed, &tree.join(&place).join(MODULES))?;
        }
        waiting.extend(directories(&tree, &place)?);
    }
    Ok(())
}

/// The paths that packages installed below these places of a checkout need readable: their directories, and the targets
/// of links that lead out of it.
pub fn readable<'p>(
    checkout: &Path,
    places: impl IntoIterator<Item = &'p str>,
) -> io::Result<Vec<PathBuf>> {
    let checkout = fs::canonicalize(checkout)?;
    let mut found = Vec::new();
    for place in places {
        let installed = checkout.join(place).join(MODULES);
        if installed.is_dir() {
            found.push(fs::canonicalize(&installed)?);
            leading_out(&installed, &checkout, &mut found)?;
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Where links in a directory of packages lead out of the checkout.
fn leading_out(modules: &Path, checkout: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(modules)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() && is_scope(&entry.file_name()) {
            leading_out(&entry.path(), checkout, found)?;
        } else if kind.is_symlink() {
            let target = fs::canonicalize(entry.path()).ok();
            found.extend(target.filter(|target| !target.starts_with(checkout)));
        }
    }
    Ok(())
}

/// Whether a directory of packages holds those of one publisher.
pub(super) fn is_scope(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"@")
}

/// The directories in a directory, but for those of packages and of git.
pub(super) fn directories(root: &Path, place: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join(place))? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_dir() && name != MODULES && name != ".git" {
            found.push(place.join(name));
        }
    }
    Ok(found)
}

/// From where and to where.
struct Links<'a> {
    checkout: &'a Path,
    tree: &'a Path,
}

impl Links<'_> {
    fn lay(&self, from: &Path, to: &Path) -> io::Result<()> {
        match fs::symlink_metadata(to) {
            Ok(facts) if facts.is_dir() => {}
            // The tree has an entry of its own there.
            Ok(_) => return Ok(()),
            Err(_) => fs::create_dir(to)?,
        }
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let (name, target) = (entry.file_name(), to.join(entry.file_name()));
            let kind = entry.file_type()?;
            if CACHES.iter().any(|cache| name == *cache) {
                continue;
            }
            if kind.is_dir() && is_scope(&name) {
                self.lay(&entry.path(), &target)?;
                continue;
            }
            let text = if kind.is_symlink() {
                self.text_of(&entry.path())?
            } else {
                entry.path()
            };
            // It may have been made for another tree.
            if target.symlink_metadata().is_err() {
                symlink(text, &target)?;
            }
        }
        Ok(())
    }

    /// A link's target in the tree.
    fn text_of(&self, link: &Path) -> io::Result<PathBuf> {
        let text = fs::read_link(link)?;
        let target = normal(&link.parent().unwrap_or(self.checkout).join(&text));
        let Ok(inside) = target.strip_prefix(self.checkout) else {
            return Ok(target);
        };
        Ok(if text.is_absolute() {
            self.tree.join(inside)
        } else {
            text
        })
    }
}

/// A path without `.` and `..`, by its words alone.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                whole.pop();
            }
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::files::write_own;

    /// Checkouts and trees in a directory of their own.
    pub(in super::super) struct World(tempfile::TempDir);

    impl World {
        pub(in super::super) fn new(files: &[(&str, &str)], links: &[(&str, &str)]) -> Self {
            let world = Self(tempfile::tempdir().expect("a directory"));
            for (name, text) in files {
                world.write(name, text);
            }
            for (name, text) in links {
                let path = world.at(name);
                fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
                let text = text.replace("ROOT", &world.at("").to_string_lossy());
                symlink(text.replace("//", "/"), path).expect("a link");
            }
            world
        }

        pub(in super::super) fn write(&self, name: &str, text: &str) {
            write_own(&self.at(name), text.as_bytes()).expect("a file");
        }

        pub(in super::super) fn at(&self, name: &str) -> PathBuf {
            let root = fs::canonicalize(self.0.path()).expect("a directory");
            root.join(name)
        }

        fn farm(&self) -> Vec<PathBuf> {
            farm(&self.at("checkout"), &self.at("tree")).expect("laid");
            readable(&self.at("checkout"), ["", "packages/b/"]).expect("readable")
        }

        fn read(&self, name: &str) -> Option<String> {
            fs::read_to_string(self.at(name)).ok()
        }
    }

    #[test]
    fn packages_of_the_project_lead_into_the_tree_and_others_to_the_checkout() {
        let world = World::new(
            &[
                ("checkout/node_modules/dep/index.js", "dep"),
                ("checkout/node_modules/@s/dep/index.js", "scoped"),
                ("checkout/node_modules/.vite/x", "cache"),
                ("checkout/packages/a/index.js", "of the checkout"),
                ("checkout/packages/b/node_modules/own/index.js", "nested"),
                ("elsewhere/index.js", "linked by hand"),
                ("tree/packages/a/index.js", "of the tree"),
                ("tree/packages/b/index.js", ""),
            ],
            &[
                ("checkout/node_modules/@w/a", "../../packages/a"),
                ("checkout/node_modules/absolute", "ROOT/checkout/packages/a"),
                ("checkout/node_modules/far", "../../elsewhere"),
                ("checkout/packages/b/node_modules/@w/a", "../../../a"),
                ("checkout/packages/gone/node_modules/x", "../y"),
            ],
        );
        let exposed = world.farm();
        for (name, expected) in [
            ("tree/node_modules/dep/index.js", Some("dep")),
            ("tree/node_modules/@s/dep/index.js", Some("scoped")),
            ("tree/node_modules/@w/a/index.js", Some("of the tree")),
            ("tree/node_modules/absolute/index.js", Some("of the tree")),
            ("tree/node_modules/far/index.js", Some("linked by hand")),
            ("tree/packages/b/node_modules/own/index.js", Some("nested")),
            (
                "tree/packages/b/node_modules/@w/a/index.js",
                Some("of the tree"),
            ),
            ("tree/node_modules/.vite/x", None),
        ] {
            assert_eq!(world.read(name).as_deref(), expected, "{name}");
        }
        assert!(!world.at("tree/packages/gone").exists());
        let expected = [
            "checkout/node_modules",
            "checkout/packages/b/node_modules",
            "elsewhere",
        ];
        assert_eq!(exposed, expected.map(|name| world.at(name)));
        // Once more, for a tree in the same place.
        assert_eq!(world.farm(), exposed);
    }

    #[test]
    fn a_store_of_links_works_as_it_does_in_the_checkout() {
        let store = "checkout/node_modules/.pnpm/dep@1/node_modules/dep";
        let world = World::new(
            &[(&format!("{store}/index.js"), "dep"), ("tree/a.js", "")],
            &[
                ("checkout/node_modules/dep", ".pnpm/dep@1/node_modules/dep"),
                ("checkout/node_modules/@w/gone", "../../packages/gone"),
            ],
        );
        world.farm();
        assert_eq!(
            world.read("tree/node_modules/dep/index.js").as_deref(),
            Some("dep")
        );
        let real = fs::canonicalize(world.at("tree/node_modules/dep")).expect("there");
        assert_eq!(real, world.at(store));
        // A package that this tree does not have is not the checkout's.
        assert!(world.read("tree/node_modules/@w/gone/index.js").is_none());
    }

    #[test]
    fn a_checkout_without_packages_gives_none_and_what_the_tree_has_stays() {
        let world = World::new(&[("checkout/a.js", ""), ("tree/a.js", "")], &[]);
        assert!(world.farm().is_empty());
        assert!(!world.at("tree/node_modules").exists());
        world.write("checkout/node_modules/dep/index.js", "installed");
        world.write("tree/node_modules/dep/index.js", "tracked");
        world.farm();
        assert_eq!(
            world.read("tree/node_modules/dep/index.js").as_deref(),
            Some("tracked")
        );
    }
}
