//! Work that the tests of one process share.

use std::sync::atomic::{AtomicUsize, Ordering};

/// A list of things to do, the same in every test that shares it. How long one takes is not known before, so each is
/// taken when there is time for it.
pub struct SharedList {
    next: AtomicUsize,
}

impl SharedList {
    /// Nothing of it is taken yet.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "it is a static of the tests, so it has to be made in a constant"
    )]
    pub const fn new() -> Self {
        Self {
            next: AtomicUsize::new(0),
        }
    }

    /// The items that no other test has taken, one after the other.
    pub fn take<T>(&self, all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        let mut all: Vec<Option<T>> = all.into_iter().map(Some).collect();
        std::iter::from_fn(move || {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            all.get_mut(next).and_then(Option::take)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_taken_once() {
        let list = SharedList::new();
        let (mut one, mut two) = (list.take(1..=4), list.take(1..=4));
        assert_eq!(one.next(), Some(1));
        assert_eq!(two.next(), Some(2));
        assert_eq!(two.next(), Some(3));
        assert_eq!(one.collect::<Vec<_>>(), [4]);
        assert_eq!(two.next(), None);
    }
}
