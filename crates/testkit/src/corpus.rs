//! A corpus as a test program of its own: every case is a test, with its own name, result and place in the queue.
//!
//! Names, filters and output are those of the usual harness: `cargo test --test cheats forges` judges the cases whose name
//! contains "forges".

use std::process::ExitCode;
use std::thread::available_parallelism;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use crate::say_skipped;

/// A case mostly waits for processes, which in turn wait for each other and for the disk.
const THREADS_PER_CORE: usize = 3;

/// What came of a case.
pub enum CaseOutcome {
    /// What is not as it has to be; nothing if all is well.
    Wrong(Vec<String>),
    /// Why it could not be judged on this machine.
    Skipped(String),
}

/// The cases that are to be judged.
pub struct Corpus {
    arguments: Arguments,
    trials: Vec<Trial>,
}

impl Corpus {
    /// No case yet; the command line says which of those to come are wanted.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it reads the command line")]
    pub fn new() -> Self {
        let mut arguments = Arguments::from_args();
        if arguments.test_threads.is_none() {
            let threads = std::env::var("RUST_TEST_THREADS").ok();
            let cores = available_parallelism().map_or(1, usize::from);
            arguments.test_threads = threads
                .and_then(|number| number.parse().ok())
                .or(Some(cores * THREADS_PER_CORE));
        }
        Self {
            arguments,
            trials: Vec::new(),
        }
    }

    /// Whether the command line names cases, instead of wanting the usual ones.
    pub fn is_chosen_by_name(&self) -> bool {
        self.arguments.filter.is_some()
    }

    /// One more case.
    pub fn case(
        &mut self,
        name: impl Into<String>,
        judge: impl FnOnce() -> CaseOutcome + Send + 'static,
    ) {
        let name = name.into();
        let title = name.clone();
        self.trials
            .push(Trial::ignorable_test(title, move || match judge() {
                CaseOutcome::Wrong(wrong) if wrong.is_empty() => Ok(Completion::Completed),
                CaseOutcome::Wrong(wrong) => Err(Failed::from(wrong.join("\n\n"))),
                CaseOutcome::Skipped(reason) => {
                    say_skipped(&name, &reason);
                    Ok(Completion::ignored_with(reason))
                }
            }));
    }

    /// Judges the cases that are wanted.
    pub fn run(self) -> ExitCode {
        libtest_mimic::run(&self.arguments, self.trials).exit_code()
    }
}
