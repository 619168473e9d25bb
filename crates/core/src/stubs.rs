//! Stubs: code with the right names and without their behaviour.
//!
//! A test that waits for code is red, but whether it tests anything, and what lies behind its first failure, cannot be
//! seen. Against stubs it can. Each language has its own kind of stub.

/// How a stub behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StubKind {
    /// Only raises: a test that passes here would pass against anything.
    Raising,
    /// Accepts every use and returns nothing useful: shows what lies behind a test's first failure.
    Answering,
}
