//! One rule per path: a job's access there.
//!
//! Paths are made canonical, so that a symbolic link leads to the rule of its target, and those
//! that do not exist are left out. The rule of the nearest directory above counts; on the same path
//! the more generous one.

use std::collections::BTreeMap;
use std::fs::canonicalize;
use std::path::{Path, PathBuf};

/// A job's access at a path and below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    /// Nothing, where the level can do that not even a name.
    Absent,
    /// Nothing; that there is something can be known.
    Hidden,
    /// An empty place of its own.
    Private,
    /// The real content, unchangeable.
    ReadOnly,
    /// The real content.
    Writable,
}

/// Where programs leave things for each other.
const SHARED: [&str; 2] = ["/tmp", "/var/tmp"];

/// Sockets of services that would do a job's work for it, with the rights of the person or of root;
/// secrets that only matter when Proctor is root.
const SERVICES_AND_SECRETS: [&str; 18] = [
    "/run",
    "/var/run",
    "/var/lib/docker",
    "/var/lib/containerd",
    "/var/lib/containers",
    "/var/lib/incus",
    "/var/lib/kubelet",
    "/var/lib/lxd",
    "/var/snap/lxd",
    "/var/spool/cron",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/krb5.keytab",
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/ssh",
    "/etc/ssl/private",
    "/etc/sudoers.d",
];

/// Some systems keep their programs here.
const READABLE_ANYWAY: [&str; 3] = [
    "/run/booted-system",
    "/run/current-system",
    "/run/opengl-driver",
];

/// The rules for one job.
#[derive(Debug, Clone, Default)]
pub(super) struct View {
    rules: BTreeMap<PathBuf, Access>,
}

impl View {
    /// The rules for every job; `private` if the level can give it an empty place of its own.
    pub(super) fn of_system(private: bool) -> Self {
        let mut view = Self::default();
        let shared = if private {
            Access::Private
        } else {
            Access::Hidden
        };
        for path in SHARED {
            view.set(Path::new(path), shared);
        }
        view.hide(SERVICES_AND_SECRETS);
        view.expose(READABLE_ANYWAY.map(Path::new));
        view
    }

    /// Sets a rule.
    pub(super) fn set(&mut self, path: &Path, access: Access) {
        if let Ok(path) = canonicalize(path) {
            let rule = self.rules.entry(path).or_insert(access);
            *rule = access.max(*rule);
        }
    }

    pub(super) fn hide(&mut self, paths: impl IntoIterator<Item = impl AsRef<Path>>) {
        for path in paths {
            self.set(path.as_ref(), Access::Hidden);
        }
    }

    pub(super) fn leave_out(&mut self, paths: impl IntoIterator<Item = impl AsRef<Path>>) {
        for path in paths {
            self.set(path.as_ref(), Access::Absent);
        }
    }

    pub(super) fn expose<'a>(&mut self, paths: impl IntoIterator<Item = &'a Path>) {
        for path in paths {
            self.set(path, Access::ReadOnly);
        }
    }

    pub(super) fn open<'a>(&mut self, paths: impl IntoIterator<Item = &'a Path>) {
        for path in paths {
            self.set(path, Access::Writable);
        }
    }

    /// Makes hidden paths readable, unless there is a rule for exactly this path. The last part of a path may be a
    /// link: it is then readable by that name.
    pub(super) fn expose_hidden<'a>(&mut self, paths: impl IntoIterator<Item = &'a Path>) {
        for path in paths {
            let known = self.rules.contains_key(path) || self.access(path) >= Access::ReadOnly;
            if !known && path.exists() {
                self.rules.insert(path.to_owned(), Access::ReadOnly);
            }
        }
    }

    /// The rules, directories before their contents.
    pub(super) fn rules(&self) -> impl Iterator<Item = (&Path, Access)> {
        self.rules
            .iter()
            .map(|(path, access)| (path.as_path(), *access))
    }

    /// The rule about exactly this path.
    pub(super) fn rule(&self, path: &Path) -> Option<Access> {
        self.rules.get(path).copied()
    }

    /// The rules below a directory.
    pub(super) fn below(&self, directory: &Path) -> impl Iterator<Item = (&Path, Access)> {
        self.rules()
            .filter(move |(path, _)| *path != directory && path.starts_with(directory))
    }

    /// A job's access at a canonical path.
    pub(super) fn access(&self, path: &Path) -> Access {
        path.ancestors()
            .find_map(|ancestor| self.rule(ancestor))
            .unwrap_or(Access::ReadOnly)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_of_the_nearest_directory_counts() {
        let directory = tempfile::tempdir().unwrap();
        let root = canonicalize(directory.path()).unwrap();
        let [home, keys, tree] =
            ["home", "home/keys", "home/keys/tree"].map(|name| root.join(name));
        std::fs::create_dir_all(&tree).unwrap();
        let mut view = View::default();
        view.hide([&keys, &root.join("nowhere")]);
        view.expose([tree.as_path()]);
        let cases = [
            (home.join("file"), Access::ReadOnly),
            (keys.join("file"), Access::Hidden),
            (tree.join("file"), Access::ReadOnly),
            (PathBuf::from("/"), Access::ReadOnly),
        ];
        for (path, access) in cases {
            assert_eq!(view.access(&path), access, "{}", path.display());
        }
        assert_eq!(view.rules().count(), 2, "what does not exist has no rule");
    }

    #[test]
    fn a_link_leads_to_the_rule_of_its_target() {
        let directory = tempfile::tempdir().unwrap();
        let root = canonicalize(directory.path()).unwrap();
        std::fs::create_dir(root.join("secret")).unwrap();
        std::os::unix::fs::symlink("secret", root.join("link")).unwrap();
        let mut view = View::default();
        view.hide([root.join("link")]);
        assert_eq!(view.access(&root.join("secret")), Access::Hidden);
    }
}
