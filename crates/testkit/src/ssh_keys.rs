//! SSH keys of the people in a test, made by the real `ssh-keygen`; hardware keys by OpenSSH's own stand-in for one.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::TestEnvironment;
use crate::pytest::build_directory;

/// Debian's package with OpenSSH's tests, and the stand-in's path in it.
const PACKAGE: &str = "openssh-tests";
const STAND_IN: &str = "usr/lib/openssh/regress/misc/sk-dummy/sk-dummy.so";

/// A person's key.
#[derive(Debug, Clone)]
pub struct SshKey {
    /// Its file.
    pub path: PathBuf,
}

impl SshKey {
    /// The line of its `.pub` file.
    pub fn public(&self) -> String {
        let path = self.path.with_extension("pub");
        let text = std::fs::read_to_string(path).expect("ssh-keygen has made it");
        text.trim().to_owned()
    }
}

/// The library that signs in the place of a hardware key; or why there is none.
pub fn hardware_key_stand_in() -> Result<&'static Path, String> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let place = build_directory().join("openssh-tests");
        let library = place.join("x").join(STAND_IN);
        if !library.is_file() {
            fetch(&place)?;
        }
        std::fs::canonicalize(library).map_err(|error| error.to_string())
    });
    match found {
        Ok(path) => Ok(path),
        Err(reason) => Err(reason.clone()),
    }
}

fn fetch(place: &Path) -> Result<(), String> {
    std::fs::create_dir_all(place).map_err(|error| error.to_string())?;
    let script = format!("apt-get download {PACKAGE} && dpkg -x {PACKAGE}_*.deb x");
    let done = Command::new("sh")
        .args(["-c", &script])
        .current_dir(place)
        .output();
    match done {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(error.to_string()),
    }
}

impl TestEnvironment {
    /// Makes a key without a passphrase: `ssh-keygen -t KIND`, with further options.
    #[track_caller]
    pub fn ssh_key(&self, name: &str, kind: &str, options: &[&str]) -> SshKey {
        let path = self.root().join(format!("key-{name}"));
        let mut command = self.command("ssh-keygen");
        command
            .args(["-q", "-N", "", "-C", name, "-t", kind, "-f"])
            .arg(&path)
            .args(options);
        if let (true, Ok(library)) = (kind.ends_with("-sk"), hardware_key_stand_in()) {
            command.arg("-w").arg(library);
        }
        self.run(command).expect_code(0);
        SshKey { path }
    }

    /// Makes the programs of this environment use the stand-in for hardware keys.
    pub fn use_hardware_key_stand_in(&mut self, library: &Path) {
        self.set_variable("SSH_SK_PROVIDER", library);
    }

    /// Signs a text: `ssh-keygen -Y sign`; the armoured signature.
    #[track_caller]
    pub fn ssh_sign(&self, key: &SshKey, namespace: &str, text: &str) -> String {
        let file = self.write("to-sign", text);
        let signature = self.root().join("to-sign.sig");
        let _ = std::fs::remove_file(&signature);
        let mut command = self.command("ssh-keygen");
        command
            .args(["-q", "-Y", "sign", "-n", namespace, "-f"])
            .args([&key.path, &file]);
        self.run(command).expect_code(0);
        std::fs::read_to_string(signature).expect("ssh-keygen has written it")
    }
}
