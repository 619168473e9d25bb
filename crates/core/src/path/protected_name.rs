//! Names that carry execution.
//!
//! Git, test runners, build tools, editors and coding agents act on certain files merely because
//! they are there. A change to one is a change to what runs on somebody's machine, so it needs
//! more attention than its few lines suggest.

/// File names, in lower case, that are protected in any directory.
const FILE_NAMES: [&str; 40] = [
    ".gitattributes",
    ".gitmodules",
    ".gitconfig",
    ".lfsconfig",
    // Python runs these at start or at collection.
    "conftest.py",
    "sitecustomize.py",
    "usercustomize.py",
    // Shells and tool managers that run on entering the directory.
    ".envrc",
    ".mise.toml",
    "mise.toml",
    ".tool-versions",
    // Build and package tools.
    "build.rs",
    "rust-toolchain",
    "rust-toolchain.toml",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    // Hooks.
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".lintstagedrc",
    // Continuous integration.
    ".gitlab-ci.yml",
    ".travis.yml",
    "appveyor.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "cloudbuild.yaml",
    "jenkinsfile",
    // Editors that read project files.
    ".exrc",
    ".nvimrc",
    ".nvim.lua",
    ".vimrc",
    ".dir-locals.el",
    // Agents' settings and standing instructions.
    ".mcp.json",
    ".cursorrules",
    ".clinerules",
    "agents.md",
    "claude.md",
    "gemini.md",
    // Proctor's own: it names the commands that judge the work.
    "proctor.toml",
];

/// Directories, in lower case, below which everything is protected.
const DIRECTORIES: [&str; 13] = [
    ".github/workflows",
    ".github/actions",
    ".circleci",
    ".buildkite",
    ".husky",
    ".vscode",
    ".idea",
    ".zed",
    ".devcontainer",
    ".claude",
    ".codex",
    ".cursor",
    ".gemini",
];

/// Files, in lower case, that are protected by their name and the directory they lie in.
const IN_DIRECTORY: [&str; 3] = [
    ".cargo/config",
    ".cargo/config.toml",
    ".github/copilot-instructions.md",
];

/// Extensions, in lower case, that the Python interpreter executes at start.
const EXTENSIONS: [&str; 1] = [".pth"];

/// Whether a file of this path is executed or trusted by some tool without being asked for.
pub(super) fn is_protected(path: &str) -> bool {
    let folded = path.to_lowercase();
    let name = folded.rsplit('/').next().unwrap_or(&folded);
    let rooted = format!("/{folded}");
    FILE_NAMES.contains(&name)
        || EXTENSIONS.iter().any(|extension| name.ends_with(extension))
        || IN_DIRECTORY
            .iter()
            .any(|file| rooted.ends_with(&format!("/{file}")))
        || DIRECTORIES
            .iter()
            .any(|directory| rooted.contains(&format!("/{directory}/")))
}

#[cfg(test)]
mod tests {
    use super::is_protected;

    #[test]
    fn names_that_carry_execution_are_protected() {
        let protected = [
            ".gitattributes",
            "sub/.gitmodules",
            "tests/conftest.py",
            "src/Conftest.py",
            "sitecustomize.py",
            "lib/evil.pth",
            ".envrc",
            "build.rs",
            "crates/a/build.rs",
            ".github/workflows/ci.yml",
            ".gitlab-ci.yml",
            ".vscode/tasks.json",
            ".cargo/config.toml",
            "sub/.cargo/config",
            ".claude/settings.json",
            "AGENTS.md",
            "proctor.toml",
        ];
        for path in protected {
            assert!(is_protected(path), "{path}");
        }
    }

    #[test]
    fn ordinary_names_are_not_protected() {
        let ordinary = [
            "src/build.py",
            "src/my_build.rs",
            "conftest_helper.py",
            "docs/workflows/a.md",
            ".github/ISSUE_TEMPLATE.md",
            "config.toml",
            "path.pthx",
            "src/claude.rs",
        ];
        for path in ordinary {
            assert!(!is_protected(path), "{path}");
        }
    }
}
