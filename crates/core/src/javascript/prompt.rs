//! The prompt's paragraphs about the runners.

/// The tests that are wanted for a design document, for the runner of this name.
pub(crate) fn tests_wanted(runner: &str) -> String {
    format!(
        "\
Write the failing tests for this design document, for {runner}, before any implementation
exists. Send test files only. Each test must assert something that the document asks for
and must fail now for the reason that the code is missing or wrong: by an assertion, or
because a module, an export or a property that the document declares is not there yet. No
`.only`, no skips, no todos, no tests that are expected to fail, no retries, no snapshots that
the run would write. Await or return every promise that an assertion is about. No imports of
modules that neither exist nor are declared. Tests that exist stay as they are.
"
    )
}
