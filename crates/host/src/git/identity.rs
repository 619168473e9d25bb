//! The user's identity, according to their own configuration.

use super::GitError;
use super::repository::Repository;

/// A name and an address, as git would write them into a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The person's name.
    pub name: String,
    /// The e-mail address.
    pub email: String,
}

impl Person {
    /// Reads `Name <address>`; git's suffix of seconds and zone is ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, rest) = text.split_once(" <")?;
        let (email, _) = rest.split_once('>')?;
        Some(Self {
            name: name.to_owned(),
            email: email.to_owned(),
        })
    }
}

/// A commit's message, author and time: everything besides its tree and its parents.
#[derive(Debug, Clone, Copy)]
pub struct CommitMessage<'a> {
    /// The words, with their trailers.
    pub text: &'a str,
    /// Author and committer.
    pub person: &'a Person,
    /// Seconds since 1970.
    pub seconds: i64,
}

impl std::fmt::Display for Person {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} <{}>", self.name, self.email)
    }
}

impl Repository {
    /// The SSH key that the user signs commits with, as their configuration names it.
    pub fn signing_key(&self) -> Result<Option<String>, GitError> {
        let ask = |name: &str| {
            let call = self.git.call_as_user("config").arguments(["--get", name]);
            let output = call.output()?;
            let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            Ok::<_, GitError>(Some(text).filter(|text| output.success() && !text.is_empty()))
        };
        // With another format it is a key of another program.
        match ask("gpg.format")?.as_deref() {
            Some("ssh") => ask("user.signingKey"),
            _ => Ok(None),
        }
    }

    /// The user, or `None` where git has no identity for them.
    pub fn person(&self) -> Result<Option<Person>, GitError> {
        for variable in ["GIT_COMMITTER_IDENT", "GIT_AUTHOR_IDENT"] {
            let output = self
                .git
                .call_as_user("var")
                .arguments([variable])
                .output()?;
            if output.success() {
                return Ok(Person::parse(&String::from_utf8_lossy(&output.stdout)));
            }
        }
        Ok(None)
    }
}
