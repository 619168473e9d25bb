//! An error as a user sees it: its kind, which is the exit code, and the remedy.
//!
//! Each error says this itself, in the module that defines it, beside its sentence and a sample of every variant.
//! The command line prints it and knows nothing about any of them.

use std::error::Error;

/// The kind of failure, which is also the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The work was refused on its merits.
    Refused,
    /// Wrong usage.
    Usage,
    /// A person is needed.
    NeedsPerson,
    /// Refused for safety.
    Safety,
    /// Git, test runner, model, disk.
    Environment,
    /// A bug in Proctor.
    Bug,
    /// Interrupted; resumable.
    Interrupted,
}

impl Kind {
    /// The documented exit code.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Refused => 1,
            Self::Usage => 2,
            Self::NeedsPerson => 3,
            Self::Safety => 4,
            Self::Environment => 5,
            Self::Bug => 70,
            Self::Interrupted => 130,
        }
    }

    /// The remedy where nothing more specific is known.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Refused => {
                "nothing was merged, committed or written; fix what is named and try again"
            }
            Self::Usage => "see `proctor --help`",
            Self::NeedsPerson => "`proctor status` says what each run waits for",
            Self::Safety => "nothing was written and nothing was sent",
            Self::Environment => "`proctor doctor` looks at everything that a run needs",
            Self::Bug => "please report it; the run, if there is one, can be resumed",
            Self::Interrupted => "`proctor resume` goes on with a run; nothing was lost",
        }
    }

    /// The word for scripts.
    pub fn key(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Usage => "usage",
            Self::NeedsPerson => "needs_person",
            Self::Safety => "safety",
            Self::Environment => "environment",
            Self::Bug => "bug",
            Self::Interrupted => "interrupted",
        }
    }
}

/// An error that a user meets.
pub trait Explained: Error {
    /// The kind of failure.
    fn kind(&self) -> Kind;

    /// The remedies; none where only [`Kind::hint`] applies.
    fn hints(&self) -> Vec<String>;

    /// Whether it only says that a person's own answer was carried out: the exit code tells scripts, and nothing went
    /// wrong.
    fn is_answer(&self) -> bool {
        false
    }
}

/// An error with a sample of every variant, for the page that lists them and the tests of their words.
#[cfg(feature = "samples")]
pub trait Sampled: Explained + Sized {
    /// One of every variant at least, with words in capitals for names of the user's.
    fn samples() -> Vec<Self>;
}

/// A sample of every variant of an error; leaving one out does not compile, and neither does a second sample of one
/// pass.
#[cfg(feature = "samples")]
#[macro_export]
macro_rules! samples {
    ($type:ty { $($pattern:pat => $sample:expr),+ $(,)? }) => {{
        let samples: ::std::vec::Vec<$type> = ::std::vec![$($sample),+];
        let mut variants = ::std::collections::BTreeSet::new();
        for sample in &samples {
            variants.insert(match sample { $($pattern => ::std::stringify!($pattern)),+ });
        }
        ::std::assert_eq!(variants.len(), samples.len(), "a sample for each variant");
        samples
    }};
}
