//! Stubs: code that has the right names and does nothing but raise.
//!
//! A test that cannot be collected because its module is missing is red, but whether it tests anything
//! cannot be seen. Against a stub it can: what passes there would pass against anything.

/// The names that a module lacks, made on demand: classes for names that look like one, so that they can be
/// raised, caught and inherited from, functions for the rest. What they raise is a class of its own, directly below
/// `Exception`: a test that expects `NotImplementedError`, or `RuntimeError` above it, must not pass by the stub.
const FALLBACK: &str = "

def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)

    def stub(*arguments, **words):
        raise type('Stub', (Exception,), {})('proctor: %s is a stub' % name)

    stub.__name__ = name
    if not name[:1].isupper() or name.isupper():
        return stub
    return type(name, (Exception,), {'__init__': stub, '__module__': __name__})
";

/// A module that has every name.
pub fn stub_module() -> String {
    FALLBACK.trim_start().to_owned()
}

/// An existing module that has every name it lacks. One that makes names on demand itself is left alone.
pub fn with_stub(source: &str) -> String {
    let makes_names = source
        .lines()
        .any(|line| line.starts_with("def __getattr__("));
    if makes_names {
        return source.to_owned();
    }
    format!("{source}\n{FALLBACK}")
}

#[cfg(test)]
mod tests {
    use super::{stub_module, with_stub};

    #[test]
    fn a_module_keeps_what_it_has() {
        let stubbed = with_stub("def a():\n    return 1");
        assert!(stubbed.starts_with("def a():\n    return 1\n"));
        assert!(stubbed.contains("\ndef __getattr__(name):\n"));
        assert!(stub_module().starts_with("def __getattr__(name):\n"));
        let own = "def __getattr__(name):\n    return 1\n";
        assert_eq!(with_stub(own), own);
    }
}
