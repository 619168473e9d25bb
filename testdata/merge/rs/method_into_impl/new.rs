use std::fmt;
use std::collections::HashMap;

pub struct Stack {
    items: Vec<u8>,
    /// By name.
    names: HashMap<String, u8>,
}

impl Stack {
    /// Takes one off.
    #[must_use]
    pub fn pop(&mut self) -> Option<u8> {
        self.items.pop()
    }
}

pub fn free() {}

#[cfg(test)]
mod tests {
    #[test]
    fn pops() {}
}
