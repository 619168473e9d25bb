//! Context files: what a person wants the model to see, read beneath the root and checked.

use std::path::Path;

use proctor_core::context::{
    ContextFile, ContextProblem, MAX_FILE_BYTES, PathProblem, ProblemKind, ProjectPath,
    check_content, secret_name,
};

use super::{FileError, Root};

/// Reads the context files: those that may be sent, and everything that is wrong with the others.
pub fn load_context(root: &Root, paths: &[String]) -> (Vec<ContextFile>, Vec<ContextProblem>) {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for given in paths {
        match load(root, given) {
            Ok(file) => files.push(file),
            Err(found) => problems.extend(found),
        }
    }
    (files, problems)
}

fn load(root: &Root, given: &str) -> Result<ContextFile, Vec<ContextProblem>> {
    let problem = |kind, message: String| ContextProblem {
        kind,
        message,
        location: given.to_owned(),
    };
    let path = ProjectPath::parse(relative(root.path(), given)).map_err(|found| {
        let message = match found {
            PathProblem::Absolute(_) | PathProblem::DotComponent(_) => {
                "the path resolves outside the project's root".to_owned()
            }
            other => other.to_string(),
        };
        vec![problem(ProblemKind::Outside, message)]
    })?;
    // The name first: a secret is not even opened.
    if let Some(rule) = secret_name(path.as_str()) {
        let message = format!("files named like this hold secrets ({rule}) and are never sent");
        return Err(vec![problem(ProblemKind::SecretName, message)]);
    }
    let content = root.read(&path, MAX_FILE_BYTES).map_err(|error| {
        let kind = match &error {
            FileError::Missing { .. } => ProblemKind::Missing,
            FileError::Symlink { .. } => ProblemKind::Symlink,
            _ => ProblemKind::NotRegular,
        };
        vec![problem(kind, error.to_string())]
    })?;
    check_content(given, content)
}

/// An absolute path inside the root is taken as relative to it; `./` in front means nothing.
fn relative<'a>(root: &Path, given: &'a str) -> &'a str {
    let inside = Path::new(given)
        .strip_prefix(root)
        .ok()
        .and_then(Path::to_str);
    let inside = inside.unwrap_or(given);
    inside.strip_prefix("./").unwrap_or(inside)
}
