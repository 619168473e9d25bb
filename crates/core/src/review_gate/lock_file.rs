//! Files that a package manager writes and no one reads line by line.

const NAMES: [&str; 17] = [
    "Cargo.lock",
    "Gemfile.lock",
    "Pipfile.lock",
    "Podfile.lock",
    "bun.lock",
    "composer.lock",
    "deno.lock",
    "flake.lock",
    "go.sum",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "pdm.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
    "yarn.lock",
];

/// Whether a path, in bytes as git has it, names such a file.
pub fn is_lock_file(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next();
    NAMES.iter().any(|lock| Some(lock.as_bytes()) == name)
}

#[cfg(test)]
mod tests {
    use super::is_lock_file;

    #[test]
    fn the_name_decides_in_any_directory() {
        assert!(is_lock_file(b"Cargo.lock"));
        assert!(is_lock_file(b"web/app/package-lock.json"));
        assert!(!is_lock_file(b"my-Cargo.lock"));
        assert!(!is_lock_file(b"Cargo.lock/x.py"));
    }
}
