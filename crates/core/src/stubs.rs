//! Stubs: code that has the right names and does not do what they promise.
//!
//! A test that waits for code is red, but whether it tests anything, and what lies behind its first failure,
//! cannot be seen. Against stubs it can. What one looks like is each language's own affair.

/// How a stub behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StubKind {
    /// Does nothing but raise: what passes there would pass against anything.
    Raising,
    /// Goes along with everything and answers nothing: shows what lies behind a test's first failure.
    Answering,
}
