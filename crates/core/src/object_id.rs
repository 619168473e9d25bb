//! Names of git objects, checked once when they are read.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A text that is not the full hexadecimal name of a git object.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is not the full name of a git object")]
pub struct NotAnObjectId(pub String);

fn checked(text: &str) -> Result<String, NotAnObjectId> {
    let hexadecimal = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if matches!(text.len(), 40 | 64) && hexadecimal {
        Ok(text.to_owned())
    } else {
        Err(NotAnObjectId(text.chars().take(80).collect()))
    }
}

macro_rules! object_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Accepts the full hexadecimal name and nothing else.
            pub fn parse(text: &str) -> Result<Self, NotAnObjectId> {
                checked(text).map(Self)
            }

            /// The full hexadecimal name.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The first ten digits, for people.
            pub fn short(&self) -> &str {
                &self.0[..10]
            }
        }

        impl TryFrom<String> for $name {
            type Error = NotAnObjectId;
            fn try_from(text: String) -> Result<Self, NotAnObjectId> {
                Self::parse(&text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    };
}

object_id! {
    /// A commit.
    CommitId
}
object_id! {
    /// A tree: the exact bytes, names and modes of everything that would be committed.
    TreeId
}
object_id! {
    /// A file's content.
    BlobId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_full_lower_case_hexadecimal_names_are_accepted() {
        assert!(TreeId::parse(&"a".repeat(40)).is_ok());
        assert!(TreeId::parse(&"0".repeat(64)).is_ok());
        for wrong in [
            "",
            "HEAD",
            &"a".repeat(39),
            &"A".repeat(40),
            &"g".repeat(40),
        ] {
            assert!(TreeId::parse(wrong).is_err(), "{wrong}");
        }
    }
}
