//! Which linters a project uses.
//!
//! A linter that only happens to be on the search path is not the project's rule: it counts if the project configures
//! it or has it in its own environment.

use std::path::{Path, PathBuf};

use proctor_core::lint::Linter;

use super::Programs;

/// A linter that a project uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundLinter {
    /// The linter.
    pub linter: Linter,
    /// The program; none if the project configures it and it is nowhere.
    pub program: Option<PathBuf>,
    /// The file that configures it, if one does.
    pub configured_by: Option<&'static str>,
}

/// Files that configure a linter, and the words that mark its part where a file has others.
const CONFIGURATION: [(Linter, &str, Option<&str>); 21] = [
    (Linter::Ruff, "ruff.toml", None),
    (Linter::Ruff, ".ruff.toml", None),
    (Linter::Ruff, "pyproject.toml", Some("[tool.ruff")),
    (Linter::Flake8, ".flake8", None),
    (Linter::Flake8, "setup.cfg", Some("[flake8]")),
    (Linter::Flake8, "tox.ini", Some("[flake8]")),
    (Linter::Eslint, "eslint.config.js", None),
    (Linter::Eslint, "eslint.config.mjs", None),
    (Linter::Eslint, "eslint.config.cjs", None),
    (Linter::Eslint, "eslint.config.ts", None),
    (Linter::Eslint, "eslint.config.mts", None),
    (Linter::Eslint, "eslint.config.cts", None),
    (Linter::Eslint, ".eslintrc", None),
    (Linter::Eslint, ".eslintrc.js", None),
    (Linter::Eslint, ".eslintrc.cjs", None),
    (Linter::Eslint, ".eslintrc.json", None),
    (Linter::Eslint, ".eslintrc.yaml", None),
    (Linter::Eslint, ".eslintrc.yml", None),
    (Linter::Eslint, "package.json", Some("\"eslintConfig\"")),
    (Linter::Clippy, "clippy.toml", None),
    (Linter::Clippy, "Cargo.toml", None),
];

/// The project's linters, at most one for each language.
pub fn find_linters(programs: &Programs<'_>) -> Vec<FoundLinter> {
    let found = |linter| look(programs, linter);
    // A configured linter counts for more than one that is only installed.
    let python = [Linter::Ruff, Linter::Flake8].map(found);
    let [ruff, flake8] = python;
    let python = match (ruff, flake8) {
        (Some(ruff), Some(flake8)) if ruff.configured_by.is_none() => {
            Some(if flake8.configured_by.is_some() {
                flake8
            } else {
                ruff
            })
        }
        (ruff, flake8) => ruff.or(flake8),
    };
    python
        .into_iter()
        .chain(found(Linter::Eslint))
        .chain(found(Linter::Clippy))
        .collect()
}

fn look(programs: &Programs<'_>, linter: Linter) -> Option<FoundLinter> {
    let configured_by = configuration(programs.checkout, linter);
    let program = match linter {
        Linter::Ruff | Linter::Flake8 => {
            let own = programs.of_environment(linter.program());
            match own {
                None if configured_by.is_some() => {
                    programs.surroundings.find_program(linter.program())
                }
                None => return None,
                own => own,
            }
        }
        // Without its own installation there are no plugins, without configuration no rules.
        Linter::Eslint => {
            configured_by?;
            Some(programs.of_node("eslint")?)
        }
        Linter::Clippy => {
            configured_by?;
            programs.surroundings.find_program("cargo-clippy")?;
            Some(programs.surroundings.find_program("cargo")?)
        }
    };
    Some(FoundLinter {
        linter,
        program,
        configured_by,
    })
}

/// The file at the root that configures a linter.
fn configuration(root: &Path, linter: Linter) -> Option<&'static str> {
    CONFIGURATION
        .iter()
        .filter(|(of, _, _)| *of == linter)
        .find(|(_, name, words)| match words {
            None => root.join(name).is_file(),
            Some(words) => {
                std::fs::read_to_string(root.join(name)).is_ok_and(|text| text.contains(words))
            }
        })
        .map(|(_, name, _)| *name)
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that is looked at"
)]
mod tests {
    use super::*;
    use crate::surroundings::Surroundings;
    use crate::test_runner::TestCommand;

    /// A checkout with these files, programs by path among them; the search path leads to its `path`.
    fn linters(files: &[(&str, &str)]) -> Vec<(&'static str, Option<String>)> {
        use std::os::unix::fs::PermissionsExt as _;
        let directory = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(directory.path()).unwrap();
        for (name, text) in files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let surroundings = Surroundings::from_list(vec![("PATH".into(), root.join("path").into())]);
        let command = [TestCommand::Pytest(vec![
            root.join(".venv/bin/python").into(),
        ])];
        let programs = Programs::of(&root, &command, &surroundings);
        let shown = |program: PathBuf| program.strip_prefix(&root).unwrap().display().to_string();
        find_linters(&programs)
            .into_iter()
            .map(|found| (found.linter.name(), found.program.map(shown)))
            .collect()
    }

    fn at(name: &'static str, program: &str) -> Vec<(&'static str, Option<String>)> {
        vec![(name, Some(program.to_owned()))]
    }

    const ENVIRONMENT: (&str, &str) = (".venv/pyvenv.cfg", "");

    #[test]
    fn a_python_linter_counts_if_it_is_configured_or_the_projects_own() {
        assert!(linters(&[("path/ruff", ""), ("path/flake8", "")]).is_empty());
        let configured = ("pyproject.toml", "[tool.ruff.lint]\n");
        assert_eq!(
            linters(&[configured, ("path/ruff", "")]),
            at("ruff", "path/ruff")
        );
        let own = [ENVIRONMENT, (".venv/bin/ruff", ""), ("path/ruff", "")];
        assert_eq!(linters(&own), at("ruff", ".venv/bin/ruff"));
        let own = [ENVIRONMENT, (".venv/bin/flake8", "")];
        assert_eq!(linters(&own), at("flake8", ".venv/bin/flake8"));
        assert!(
            linters(&[(".venv/bin/ruff", "")]).is_empty(),
            "no environment"
        );
    }

    #[test]
    fn the_configured_one_of_two_is_taken() {
        let both = [
            ENVIRONMENT,
            (".venv/bin/ruff", ""),
            (".venv/bin/flake8", ""),
        ];
        assert_eq!(linters(&both), at("ruff", ".venv/bin/ruff"));
        let flake8 = [&both[..], &[("setup.cfg", "[flake8]\n")]].concat();
        assert_eq!(linters(&flake8), at("flake8", ".venv/bin/flake8"));
        let two = [&flake8[..], &[("ruff.toml", "")]].concat();
        assert_eq!(linters(&two), at("ruff", ".venv/bin/ruff"));
    }

    #[test]
    fn one_that_is_configured_and_nowhere_is_missed() {
        assert_eq!(linters(&[(".flake8", "")]), [("flake8", None)]);
    }

    #[test]
    fn eslint_needs_its_own_installation_and_rules() {
        let installed = ("node_modules/.bin/eslint", "");
        let rules = ("eslint.config.mjs", "export default []\n");
        assert_eq!(linters(&[installed, rules]), at("eslint", installed.0));
        for some in [installed, rules] {
            assert!(linters(&[some, ("path/eslint", "")]).is_empty());
        }
    }

    #[test]
    fn clippy_is_for_cargo_projects_where_it_is_installed() {
        let (cargo, clippy) = (("path/cargo", ""), ("path/cargo-clippy", ""));
        let manifest = ("Cargo.toml", "[package]\n");
        assert_eq!(
            linters(&[cargo, clippy, manifest]),
            at("clippy", "path/cargo")
        );
        assert!(linters(&[cargo, manifest]).is_empty());
        assert!(linters(&[cargo, clippy]).is_empty());
    }
}
