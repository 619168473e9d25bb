//! A project's components, found by looking at its checkout: languages, environment, linters.
//!
//! The checkout is the person's own and no model writes there, so its contents are what its developers use. The lint
//! stage and `proctor init` share this code.

mod language;
mod linters;

use std::path::{Path, PathBuf};

pub use language::{Language, languages};
pub use linters::{FoundLinter, find_linters};

use crate::process::find_program;
use crate::surroundings::Surroundings;
use crate::test_runner::TestCommand;

/// Where a project's programs are: its own environments first.
#[derive(Debug, Clone)]
pub struct Programs<'a> {
    checkout: &'a Path,
    surroundings: &'a Surroundings,
    /// The directory of the Python that runs the tests, if it is a virtual environment's.
    environment: Option<PathBuf>,
}

impl<'a> Programs<'a> {
    /// The programs of a checkout whose tests these commands run.
    pub fn of(
        checkout: &'a Path,
        test_commands: &[TestCommand],
        surroundings: &'a Surroundings,
    ) -> Self {
        let environment = test_commands
            .iter()
            .filter_map(|command| command.program()?.parent())
            .find(|directory| {
                let prefix = directory.parent();
                prefix.is_some_and(|prefix| prefix.join("pyvenv.cfg").is_file())
            })
            .map(Path::to_owned);
        Self {
            checkout,
            surroundings,
            environment,
        }
    }

    /// One of the project's own Python environment.
    fn of_environment(&self, name: &str) -> Option<PathBuf> {
        let path = self.environment.as_ref()?.join(name);
        path.is_file().then_some(path)
    }

    /// One that the project's package manager installed for JavaScript.
    fn of_node(&self, name: &str) -> Option<PathBuf> {
        let path = self.checkout.join("node_modules/.bin").join(name);
        path.is_file().then_some(path)
    }

    /// A program as a person in the checkout means it: a path from there, the project's own, one on the
    /// search path.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        if name.contains('/') {
            return find_program(Path::new(name), self.surroundings.path(), self.checkout);
        }
        self.of_environment(name)
            .or_else(|| self.of_node(name))
            .or_else(|| self.surroundings.find_program(name))
    }
}
