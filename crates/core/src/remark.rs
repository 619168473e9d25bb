//! A finding, and the instruction to the model about it.
//!
//! The two are kept apart from the start: a model reads both, a person only the finding.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One finding, and the order that goes with it, if one does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    fact: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<String>,
}

impl Remark {
    /// With an instruction to the model.
    #[must_use]
    pub fn so(self, order: impl Into<String>) -> Self {
        Self {
            order: Some(order.into()),
            ..self
        }
    }

    /// With a prefix that names the subject.
    #[must_use]
    pub fn about(self, what: impl fmt::Display) -> Self {
        Self {
            fact: format!("{what}: {}", self.fact),
            ..self
        }
    }

    /// With other words in the place of each part.
    #[must_use]
    pub fn reworded(self, reword: impl Fn(&str) -> String) -> Self {
        Self {
            fact: reword(&self.fact),
            order: self.order.as_deref().map(reword),
        }
    }

    /// For a person.
    pub fn fact(&self) -> &str {
        &self.fact
    }

    /// For a model alone.
    pub fn order(&self) -> Option<&str> {
        self.order.as_deref()
    }
}

impl<T: Into<String>> From<T> for Remark {
    fn from(fact: T) -> Self {
        Self {
            fact: fact.into(),
            order: None,
        }
    }
}

/// As the model reads it.
impl fmt::Display for Remark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.order {
            Some(order) => write!(formatter, "{}; {order}", self.fact),
            None => formatter.write_str(&self.fact),
        }
    }
}

/// All remarks about one reply, a line each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored")]
pub struct Remarks(Vec<Remark>);

/// In older journals it is the model's text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Text(String),
    Each(Vec<Remark>),
}

impl From<Stored> for Remarks {
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::Text(text) => Self::from(Remark::from(text)),
            Stored::Each(remarks) => Self(remarks),
        }
    }
}

impl Remarks {
    /// For a person.
    pub fn facts(&self) -> String {
        let facts: Vec<&str> = self.0.iter().map(Remark::fact).collect();
        facts.join("\n")
    }

    /// With a prefix before the first that names the subject of all.
    #[must_use]
    pub fn about(mut self, what: impl fmt::Display) -> Self {
        if let Some(first) = self.0.first_mut() {
            *first = first.clone().about(what);
        }
        self
    }
}

impl<T: Into<Remark>> From<T> for Remarks {
    fn from(remark: T) -> Self {
        Self(vec![remark.into()])
    }
}

impl IntoIterator for Remarks {
    type Item = Remark;
    type IntoIter = std::vec::IntoIter<Remark>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl FromIterator<Remark> for Remarks {
    fn from_iter<I: IntoIterator<Item = Remark>>(remarks: I) -> Self {
        Self(remarks.into_iter().collect())
    }
}

/// As the model reads it.
impl fmt::Display for Remarks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, remark) in self.0.iter().enumerate() {
            let end = if number == 0 { "" } else { "\n" };
            write!(formatter, "{end}{remark}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_reads_what_was_found_and_what_to_do_and_a_person_what_was_found() {
        let both = Remark::from("the reply brings no test").so("send at least one test file");
        let plain = Remark::from("b.py is a test file; the tests are sealed");
        let all: Remarks = [both.about("change 1"), plain].into_iter().collect();
        let all = all.about("the reply was refused");
        assert_eq!(
            all.to_string(),
            "the reply was refused: change 1: the reply brings no test; send at least one test file\n\
             b.py is a test file; the tests are sealed"
        );
        assert_eq!(
            all.facts(),
            "the reply was refused: change 1: the reply brings no test\nb.py is a test file; the tests are sealed"
        );
    }

    #[test]
    fn remarks_are_stored_apart_and_older_texts_are_read() {
        let remarks = Remarks::from(Remark::from("a fact").so("do it"));
        let stored = serde_json::to_string(&remarks).unwrap();
        assert_eq!(stored, r#"[{"fact":"a fact","order":"do it"}]"#);
        assert_eq!(serde_json::from_str::<Remarks>(&stored).unwrap(), remarks);
        let older: Remarks = serde_json::from_str("\"a fact; do it\"").unwrap();
        assert_eq!(older.to_string(), "a fact; do it");
    }
}
