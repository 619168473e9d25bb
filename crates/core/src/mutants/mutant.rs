//! One mistake that is made on purpose.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A changed piece of a file. Lines keep their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// The file, relative to the tree.
    pub path: String,
    /// The line of the piece, from 1.
    pub line: u32,
    /// Where the piece begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The new text there.
    pub replacement: String,
    /// The change, in words.
    pub what: String,
}

impl Mutant {
    /// The file with the mistake in it; none if the piece is not in the file.
    pub fn applied(&self, content: &[u8]) -> Option<Vec<u8>> {
        let before = content.get(..self.start)?;
        let after = content.get(self.end..).filter(|_| self.start <= self.end)?;
        Some([before, self.replacement.as_bytes(), after].concat())
    }
}

/// The order in which mutants are tried: the first one of every line, then the second one of every line, and so on.
/// Time may end it anywhere, and then as many lines as possible were asked about.
pub fn spread(mutants: Vec<Mutant>) -> Vec<Mutant> {
    let mut seen: BTreeMap<(String, u32), usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, Mutant)> = Vec::new();
    for mutant in mutants {
        let rank = seen.entry((mutant.path.clone(), mutant.line)).or_default();
        ranked.push((*rank, mutant));
        *rank += 1;
    }
    ranked.sort_by(|(one, left), (other, right)| {
        let place = |mutant: &Mutant| (mutant.path.clone(), mutant.line, mutant.start);
        (one, place(left)).cmp(&(other, place(right)))
    });
    ranked.into_iter().map(|(_, mutant)| mutant).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(path: &str, line: u32, start: usize) -> Mutant {
        Mutant {
            path: path.to_owned(),
            line,
            start,
            end: start + 1,
            replacement: "-".to_owned(),
            what: "`+` became `-`".to_owned(),
        }
    }

    #[test]
    fn exactly_the_piece_is_replaced() {
        let content = "a = 'ä' + b\n".as_bytes();
        let plus = content.iter().position(|byte| *byte == b'+').unwrap();
        let changed = mutant("a.py", 1, plus).applied(content).unwrap();
        assert_eq!(String::from_utf8(changed).unwrap(), "a = 'ä' - b\n");
        assert_eq!(mutant("a.py", 1, 99).applied(content), None);
        let mut turned = mutant("a.py", 1, 5);
        turned.end = 2;
        assert_eq!(turned.applied(content), None);
    }

    #[test]
    fn every_line_is_asked_about_before_any_is_asked_again() {
        let given = vec![
            mutant("b.py", 1, 0),
            mutant("a.py", 7, 9),
            mutant("a.py", 7, 1),
            mutant("a.py", 2, 5),
            mutant("a.py", 7, 30),
        ];
        let order: Vec<_> = spread(given)
            .into_iter()
            .map(|mutant| (mutant.path, mutant.line, mutant.start))
            .collect();
        let expected = [
            ("a.py", 2, 5),
            ("a.py", 7, 9),
            ("b.py", 1, 0),
            ("a.py", 7, 1),
            ("a.py", 7, 30),
        ];
        assert_eq!(
            order,
            expected.map(|(path, line, start)| (path.to_owned(), line, start))
        );
    }
}
