//! Problems with an input, in the shape that scripts read.

use serde::{Deserialize, Serialize};

/// The kinds of problems that `check` reports; their names are part of the outside contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// There is nothing at the path.
    Missing,
    /// The path leads out of the project.
    Outside,
    /// The path is a link or goes through one.
    Symlink,
    /// There is something, but it is not a regular file.
    NotRegular,
    /// The contents are not UTF-8 text.
    NotText,
    /// The file is over the limit for one file.
    TooLarge,
    /// All files together are over the limit for a run.
    TooManyTokens,
    /// The name is one under which secrets are kept.
    SecretName,
    /// The contents look like a secret.
    SecretContent,
    /// The design document has no usable list of files.
    LldNoFiles,
    /// A listed path breaks the rules for paths.
    LldInvalidPath,
    /// A file to modify or delete does not exist.
    LldMissingTarget,
    /// A listed file exists but is not a file.
    LldNotAFile,
    /// The directory of a file to add is neither there nor listed.
    LldMissingParent,
    /// The design document has no test scenarios.
    LldNoScenarios,
    /// No test scenario covers a requirement.
    LldUncoveredRequirement,
    /// The definition of done names a file that the table of files does not list.
    LldUnlistedFile,
    /// The definition of done names a function that is not among the signatures.
    LldUnknownFunction,
}

/// One problem with one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextProblem {
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The finding and the remedy, for a person.
    pub message: String,
    /// The path as it was given.
    #[serde(rename = "where")]
    pub location: String,
}

impl std::fmt::Display for ContextProblem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Many a message names the path itself.
        if self.message.starts_with(&format!("{} ", self.location)) {
            return formatter.write_str(&self.message);
        }
        write!(formatter, "{}: {}", self.location, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::{ContextProblem, ProblemKind};

    #[test]
    fn problem_serialises_under_the_contracts_names() {
        let problem = ContextProblem {
            kind: ProblemKind::TooManyTokens,
            message: "too many".to_owned(),
            location: "a.py".to_owned(),
        };
        assert_eq!(
            serde_json::to_string(&problem).expect("it is plain data"),
            r#"{"kind":"too_many_tokens","message":"too many","where":"a.py"}"#
        );
    }

    #[test]
    fn a_message_that_names_its_path_does_not_name_it_twice() {
        let shown = |message: &str| {
            let problem = ContextProblem {
                kind: ProblemKind::Missing,
                message: message.to_owned(),
                location: "a.py".to_owned(),
            };
            problem.to_string()
        };
        assert_eq!(shown("a.py does not exist"), "a.py does not exist");
        assert_eq!(shown("is too large"), "a.py: is too large");
    }

    #[test]
    fn kinds_about_the_design_document_say_so() {
        let name = serde_json::to_string(&ProblemKind::LldNoFiles).expect("it is plain data");
        assert_eq!(name, "\"lld_no_files\"");
    }
}
