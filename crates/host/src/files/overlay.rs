//! Copying a directory's files into another, where nothing exists yet.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use proctor_core::path::INSTALLED_DIRECTORIES;

/// Copies the contents of `from` to the same place in `to`, except where something exists: that stays. Links are copied
/// as links. Installed packages become links too: they are large, never written to, and looked up through their own
/// paths.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the place that writes files; both directories are Proctor's own"
)]
pub(crate) fn overlay(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        let there = fs::symlink_metadata(&target).ok();
        if kind.is_dir() {
            let name = entry.file_name();
            let is_dependency = INSTALLED_DIRECTORIES.iter().any(|known| name == *known);
            match there {
                Some(facts) if facts.is_dir() => overlay(&source, &target)?,
                Some(_) => {}
                None if is_dependency => symlink(&source, &target)?,
                None => {
                    fs::create_dir(&target)?;
                    overlay(&source, &target)?;
                }
            }
        } else if there.is_some() {
            // Git's file there wins.
        } else if kind.is_symlink() {
            symlink(fs::read_link(&source)?, &target)?;
        } else if kind.is_file() {
            fs::copy(&source, &target)?;
        }
    }
    Ok(())
}

/// Removes these names from a directory of Proctor's own, and the directories that this empties.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the place that removes files; the directory is Proctor's own"
)]
pub(crate) fn strip<'a>(directory: &Path, names: impl Iterator<Item = &'a str>) -> io::Result<()> {
    for name in names {
        let path = directory.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // Something was put in the place of one of its directories.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
            other => other?,
        }
        let parents = path.ancestors().skip(1);
        for parent in parents.take_while(|parent| *parent != directory) {
            if fs::remove_dir(parent).is_err() {
                break;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that is copied"
)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn what_is_there_stays_and_the_rest_is_copied_or_linked() {
        let directory = tempfile::tempdir().unwrap();
        let (from, to) = (directory.path().join("from"), directory.path().join("to"));
        write(&from.join("pkg/_version.py"), "generated");
        write(&from.join("pkg/core.py"), "old");
        write(&from.join("web/node_modules/x/index.js"), "x");
        symlink("pkg", from.join("link")).unwrap();
        write(&to.join("pkg/core.py"), "new");
        overlay(&from, &to).unwrap();
        let read = |name: &str| fs::read_to_string(to.join(name)).unwrap();
        assert_eq!(read("pkg/_version.py"), "generated");
        assert_eq!(read("pkg/core.py"), "new");
        assert_eq!(read("link/core.py"), "new");
        assert_eq!(read("web/node_modules/x/index.js"), "x");
        assert!(
            fs::symlink_metadata(to.join("web/node_modules"))
                .unwrap()
                .is_symlink()
        );
        overlay(&from, &to).unwrap();
    }

    #[test]
    fn what_is_stripped_takes_its_empty_directories_along() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for name in ["a/b/c.py", "a/d.py", "e/f.py", "e/kept.py"] {
            write(&root.join(name), "");
        }
        strip(
            root,
            ["a/b/c.py", "a/d.py", "e/f.py", "gone.py"].into_iter(),
        )
        .unwrap();
        assert!(!root.join("a").exists());
        assert!(root.join("e/kept.py").exists() && !root.join("e/f.py").exists());
    }
}
