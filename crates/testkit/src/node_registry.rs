//! Public projects of the JavaScript world, from npm's registry.

use std::fs;
use std::path::PathBuf;

use crate::environment::sha256;
use crate::node::npm;
use crate::package_registry::{FILES, made_once, run, unpack};

/// One release of a package, as its authors published it.
#[derive(Debug, Clone)]
pub struct NodePackage {
    /// Its name in the registry, with the scope.
    pub name: String,
    /// The release's version.
    pub version: String,
    /// Of the archive, in hexadecimal digits.
    pub sha256: String,
}

impl NodePackage {
    /// The directory with its files, not to be written to; or why it cannot be had.
    pub fn unpacked(&self) -> Result<PathBuf, String> {
        let release = format!("{}@{}", self.name, self.version);
        let folder = format!("npm-{}", release.replace(['@', '/'], "-"));
        made_once(&folder, &self.sha256, |directory| {
            run(npm(directory).args(["pack", "--silent", "--fetch-retries=1", &release]))?;
            let archive = fs::read_dir(directory)
                .expect("just made")
                .map(|entry| entry.expect("readable").path())
                .find(|path| path.extension().is_some_and(|ending| ending == "tgz"))
                .ok_or("the registry gave no archive")?;
            let content = fs::read(&archive).expect("readable");
            assert_eq!(
                sha256(&content),
                self.sha256,
                "the registry gave another file than the pinned one: {release}"
            );
            unpack(&archive, &directory.join(FILES))
        })
        .map(|directory| directory.join(FILES))
    }
}
