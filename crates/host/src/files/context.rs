//! Context files: files that a person wants the model to see, read beneath the root and checked.

use std::collections::BTreeSet;
use std::path::Path;

use proctor_core::limits::{
    ContextFile, ContextProblem, MAX_FILE_BYTES, MAX_TOTAL_TOKENS, ProblemKind, check_content,
};
use proctor_core::secrets::{AllowedSecrets, secret_name};

use super::expand::{Expansion, Named, problem};
use super::{FileError, Root};

/// The arguments of `--context`, and the person's directory.
#[derive(Debug, Clone, Copy)]
pub struct ContextArguments<'a> {
    /// Files, directories and patterns.
    pub paths: &'a [String],
    /// The directory that they are meant from.
    pub here: &'a Path,
    /// Findings that they allowed.
    pub allowed: &'a AllowedSecrets,
}

/// Reads the context files: those that may be sent, in the order given and each once, and everything that
/// is wrong with the others.
pub fn load_context(
    root: &Root,
    arguments: &ContextArguments<'_>,
) -> (Vec<ContextFile>, Vec<ContextProblem>) {
    let expansion = Expansion {
        root,
        here: arguments.here,
    };
    let mut seen = BTreeSet::new();
    let mut files: Vec<ContextFile> = Vec::new();
    let mut problems = Vec::new();
    let mut tokens = 0;
    for found in arguments.paths.iter().flat_map(|given| expansion.of(given)) {
        let named = match found {
            Ok(named) if seen.insert(named.path.clone()) => named,
            Ok(_) => continue,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        match load(root, &named, arguments.allowed) {
            Ok(mut file) => {
                tokens += file.tokens;
                // It cannot be sent any more, only counted: a whole disk must not end up in memory.
                if tokens > MAX_TOTAL_TOKENS {
                    file.text = String::new();
                }
                files.push(file);
            }
            Err(found) => problems.extend(found),
        }
    }
    (files, problems)
}

fn load(
    root: &Root,
    named: &Named,
    allowed: &AllowedSecrets,
) -> Result<ContextFile, Vec<ContextProblem>> {
    let refused = |kind, message: &str| vec![problem(&named.given, kind, message)];
    // The name first: a secret is not even opened.
    if let Some(rule) = secret_name(named.path.as_str()) {
        let message = format!("files named like this hold secrets ({rule}) and are never sent");
        return Err(refused(ProblemKind::SecretName, &message));
    }
    let content = root
        .read(&named.path, MAX_FILE_BYTES)
        .map_err(|error| refused(kind_of(&error), &error.to_string()))?;
    let mut size = content.len() as u64;
    if size > MAX_FILE_BYTES {
        // Only this much was read.
        size = size.max(root.size(&named.path).unwrap_or(0));
    }
    let mut file = check_content(&named.given, content, size, allowed)?;
    file.path = named.path.to_string();
    Ok(file)
}

pub(super) fn kind_of(error: &FileError) -> ProblemKind {
    match error {
        FileError::Missing { .. } => ProblemKind::Missing,
        FileError::Symlink { .. } => ProblemKind::Symlink,
        _ => ProblemKind::NotRegular,
    }
}

/// A problem of every kind that a context file can have, as it is met.
#[cfg(feature = "samples")]
#[expect(
    clippy::disallowed_methods,
    reason = "files with something wrong are what this is about"
)]
pub(crate) fn sample_problems() -> Vec<ContextProblem> {
    use proctor_core::limits::{Portion, check_total};
    let directory = tempfile::tempdir().expect("a temporary directory");
    let place = |name: &str| directory.path().join(name);
    let write = |name: &str, content: &[u8]| std::fs::write(place(name), content).expect("written");
    write("BINARY", &[0xff, 0xfe]);
    write("LARGE", "x".repeat(200_000).as_bytes());
    write("ID_RSA", b"");
    // In two pieces, or this file could not be sent to a model itself.
    write("SOURCE", ["AKIA", "QYLPMN5HHHFPZAM2"].concat().as_bytes());
    std::os::unix::fs::symlink("BINARY", place("LINK")).expect("linked");
    let _socket = std::os::unix::net::UnixListener::bind(place("SOCKET")).expect("bound");
    let names = [
        "MISSING", "../PATH", "LINK", "SOCKET", "BINARY", "LARGE", "ID_RSA", "SOURCE",
    ];
    let root = Root::open(directory.path()).expect("just made");
    let (_, mut problems) = load_context(
        &root,
        &ContextArguments {
            paths: &names.map(str::to_owned),
            here: directory.path(),
            allowed: &AllowedSecrets::default(),
        },
    );
    problems.extend(check_total(&[Portion {
        name: "PATH".to_owned(),
        bytes: 1_000_000,
        tokens: 300_000,
    }]));
    let kinds: BTreeSet<String> = problems.iter().map(|it| format!("{:?}", it.kind)).collect();
    assert_eq!(kinds.len(), 9, "{problems:#?}");
    problems
}
