//! The design document (LLD): the planned change, its reason, and its tests.
//!
//! People and models write these documents from one template and then bend it, so [`parse`] looks for meanings (a table
//! with a file column, a heading about requirements) and not for fixed positions, and it never fails: a missing part is
//! simply absent. [`check`] reports the result's problems, [`resolve`] turns it into the files that a run works on,
//! [`new_document`] writes one to start from. Markdown is read by a real parser, because `#` in code, `|` in cells and
//! headings in quotes defeat pattern matching.

mod blocks;
mod change_type;
mod check;
mod coverage;
mod cross_references;
mod files;
mod outline;
mod requirements;
mod resolve;
mod scenarios;
mod template;

pub use change_type::ChangeType;
pub use check::{EntryKind, LldProblem, check};
pub use files::DeclaredFile;
pub use outline::Section;
pub use resolve::{PlannedFile, resolve};
pub use scenarios::Scenario;
pub use template::{DOCUMENTS, NewDocument, is_document_of, new_document};

/// A design document's content, as far as Proctor acts on it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LowLevelDesign {
    /// The first heading.
    pub title: String,
    /// The issue it is for: the `Issue:` line, or else the number in the title.
    pub issue: Option<String>,
    /// The files it lists, each once.
    pub files: Vec<DeclaredFile>,
    /// Its requirements in order.
    pub requirements: Vec<String>,
    /// Its test scenarios in order, each once.
    pub scenarios: Vec<Scenario>,
    /// Its headings with the text below each, without an embedded second document.
    pub sections: Vec<Section>,
}

impl LowLevelDesign {
    /// The title without the issue before it, which is usually named beside it: `87 - Feature: Powers` is
    /// `Feature: Powers`.
    pub fn subject(&self) -> &str {
        let title = self.title.trim_start_matches('#');
        let rest = self
            .issue
            .as_deref()
            .and_then(|issue| title.strip_prefix(issue));
        let rest = rest.map(|rest| rest.trim_start_matches([' ', '-', '–', '—', ':', '.']));
        rest.filter(|rest| !rest.is_empty()).unwrap_or(&self.title)
    }
}

/// Reads a design document.
pub fn parse(text: &str) -> LowLevelDesign {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let outline = outline::Outline::of(text);
    LowLevelDesign {
        title: outline.title(),
        issue: outline.issue(),
        files: files::declared(&outline),
        requirements: requirements::listed(&outline),
        scenarios: scenarios::listed(&outline),
        sections: outline.sections(),
    }
}

#[cfg(test)]
mod tests;
