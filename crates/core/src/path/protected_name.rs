//! Names that carry execution.
//!
//! Git, test runners, build tools, editors and coding agents act on certain files automatically. A change to one can
//! change the programs that run on the user's machine, so it needs more attention than its few lines suggest.

use super::installed::is_installed;

/// File names, in lower case, that are protected in any directory.
const FILE_NAMES: &[&str] = &[
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
    // Build and package tools, task runners.
    "setup.py",
    "tox.ini",
    "tox.toml",
    "noxfile.py",
    "fabfile.py",
    "dodo.py",
    "hatch_build.py",
    "build.rs",
    "rust-toolchain",
    "rust-toolchain.toml",
    "package.json",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    "deno.json",
    "deno.jsonc",
    "makefile",
    "gnumakefile",
    "cmakelists.txt",
    "meson.build",
    "sconstruct",
    "sconscript",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "gradlew",
    "pom.xml",
    "mvnw",
    "build.bazel",
    "module.bazel",
    "rakefile",
    "gemfile",
    "snakefile",
    "justfile",
    ".justfile",
    "taskfile.yml",
    "taskfile.yaml",
    "gulpfile.js",
    "gruntfile.js",
    // Containers and machines.
    "dockerfile",
    "containerfile",
    "compose.yml",
    "compose.yaml",
    "docker-compose.yml",
    "docker-compose.yaml",
    "vagrantfile",
    "procfile",
    // Hooks.
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    ".pre-commit-hooks.yaml",
    "lefthook.yml",
    "lefthook.yaml",
    "lefthook.toml",
    "lefthook.json",
    "lefthook-local.yml",
    "lefthook-local.yaml",
    ".lefthook.yml",
    ".lefthook.yaml",
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
const DIRECTORIES: &[&str] = &[
    ".github/workflows",
    ".github/actions",
    ".circleci",
    ".buildkite",
    ".husky",
    ".githooks",
    ".vscode",
    ".idea",
    ".zed",
    // The signers who may approve merges.
    ".proctor",
    ".devcontainer",
    ".claude",
    ".codex",
    ".cursor",
    ".gemini",
    // Their content runs instead of the program that was meant, as installed packages do.
    ".tox",
    ".nox",
    "__pycache__",
];

/// Files, in lower case, that are protected by their name and the directory they lie in.
const IN_DIRECTORY: [&str; 3] = [
    ".cargo/config",
    ".cargo/config.toml",
    ".github/copilot-instructions.md",
];

/// Ends of names, in lower case: files that the Python interpreter executes at start or instead of the source, parts of
/// build files, settings that are programs (`vitest.config.ts`).
const ENDS: &[&str] = &[
    ".pth",
    ".pyc",
    ".mk",
    ".dockerfile",
    ".config.js",
    ".config.cjs",
    ".config.mjs",
    ".config.ts",
    ".config.cts",
    ".config.mts",
];

/// Ends of names that begin with a dot: `.eslintrc.cjs`.
const ENDS_OF_DOT_FILES: &[&str] = &["rc.js", "rc.cjs", "rc.mjs"];

/// Names, in lower case, that keep their meaning with any suffix after a dot: `Dockerfile.test`.
const STEMS: &[&str] = &["dockerfile", "containerfile", "makefile", "jenkinsfile"];

/// Whether a file of this path is executed or trusted by some tool without being asked for.
pub(super) fn is_protected(path: &str) -> bool {
    let folded = path.to_lowercase();
    let name = folded.rsplit('/').next().unwrap_or(&folded);
    let rooted = format!("/{folded}");
    FILE_NAMES.contains(&name)
        || ENDS.iter().any(|end| name.ends_with(end))
        || (name.starts_with('.') && ENDS_OF_DOT_FILES.iter().any(|end| name.ends_with(end)))
        || (name.split_once('.')).is_some_and(|(stem, _)| STEMS.contains(&stem))
        || IN_DIRECTORY
            .iter()
            .any(|file| rooted.ends_with(&format!("/{file}")))
        || is_installed(&folded)
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
            "setup.py",
            "Makefile",
            "GNUmakefile",
            "lib/rules.mk",
            "package.json",
            "web/package.json",
            "lefthook.yml",
            "lefthook.yaml",
            ".lefthook.yaml",
            "tox.ini",
            "noxfile.py",
            "justfile",
            "Justfile",
            "Dockerfile",
            "Dockerfile.test",
            "web.Dockerfile",
            ".venv/bin/python",
            "sub/.venv/lib/x.py",
            "node_modules/x/index.js",
            "src/__pycache__/app.cpython-312.pyc",
            "vitest.config.ts",
            ".eslintrc.cjs",
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
            "src/setup_py.py",
            "docs/makefile_style.md",
            "src/package.py",
            "src/config.js",
            "src/arc.js",
            "src/venv.py",
            "docker/README.md",
            "src/tasks/a.py",
        ];
        for path in ordinary {
            assert!(!is_protected(path), "{path}");
        }
    }
}
