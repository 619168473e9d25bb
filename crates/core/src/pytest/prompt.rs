//! The prompt's paragraph about the runner.

/// The tests that are wanted for a design document.
pub(crate) const TESTS_WANTED: &str = "\
Write the failing tests for this design document, for pytest, before any implementation
exists. Send test files only. Each test must assert something that the document asks for
and must fail now for the reason that the code is missing or wrong: by an assertion, or
because a module, function or attribute that the document declares is not there yet. No
skips, no expected failures, no `assert False`, no imports of modules that neither exist nor
are declared. Tests that exist stay as they are.
";
