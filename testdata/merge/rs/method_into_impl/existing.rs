//! Stacks.

use std::fmt;

pub struct Stack {
    items: Vec<u8>
}

impl Stack {
    /// New.
    pub fn new() -> Self {
        Self { items: Vec::new() }
    }
}

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
}
