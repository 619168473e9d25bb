//! Stacks.

use std::fmt;
use std::collections::HashMap;

pub struct Stack {
    items: Vec<u8>,
    /// By name.
    names: HashMap<String, u8>
}

impl Stack {
    /// New.
    pub fn new() -> Self {
        Self { items: Vec::new() }
    }

    /// Takes one off.
    #[must_use]
    pub fn pop(&mut self) -> Option<u8> {
        self.items.pop()
    }
}

pub fn free() {}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stack")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn works() {}

    #[test]
    fn pops() {}
}
