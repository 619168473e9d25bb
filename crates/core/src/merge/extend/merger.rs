//! Going through the new text's members: which exist, which differ, which are missing.

use std::collections::HashMap;

use tree_sitter::Node;

use super::edits::Edits;
use super::indentation::{Shift, leading, rows_in_strings, unit};
use super::outline::{Kind, Member, Reader, Scope, line_start};
use super::placement::Place;
use crate::merge::{MergeError, Side};

/// Both texts, and the changes to the existing one.
pub(super) struct Merger<'o, 'n> {
    pub(super) old: Reader<'o>,
    pub(super) new: Reader<'n>,
    pub(super) edits: Edits,
    old_unit: String,
    new_unit: String,
    in_strings: Vec<bool>,
}

/// A member of the existing text: which of the scopes, which member.
pub(super) type Found = (usize, usize);

impl<'o, 'n> Merger<'o, 'n> {
    pub(super) fn new(old: Reader<'o>, new: Reader<'n>, new_root: Node<'n>) -> Self {
        let new_unit = unit(new.source);
        let old_unit = unit(old.source).or_else(|| new_unit.clone());
        let usual = || "    ".to_owned();
        Self {
            old,
            new,
            edits: Edits::default(),
            new_unit: new_unit.or_else(|| old_unit.clone()).unwrap_or_else(usual),
            old_unit: old_unit.unwrap_or_else(usual),
            in_strings: rows_in_strings(new_root),
        }
    }

    /// Brings the members of `add` into the scopes of the same name; usually there is one.
    pub(super) fn scope(&mut self, olds: &[&Scope<'o>], add: &Scope<'n>) -> Result<(), MergeError> {
        let home = olds[olds.len() - 1];
        self.docstring(home, add)?;
        self.imports(home, add)?;
        let mut places: Vec<Option<Place>> = Vec::new();
        let mut missing: Vec<usize> = Vec::new();
        let index_of = Index::of(olds);
        for (index, member) in add.members.iter().enumerate() {
            let kind = member.about.kind;
            let found = if matches!(kind, Kind::Docstring | Kind::Placeholder | Kind::Import) {
                None
            } else {
                let found = self.counterpart(olds, &index_of, member)?;
                if found.is_none() && !self.is_repeated(add, &missing, member)? {
                    missing.push(index);
                }
                found
            };
            places.push(found.map(|(scope, at)| Place::After(scope, at)));
        }
        self.place(olds, add, &missing, &mut places)
    }

    /// The existing member that this one is, or extends.
    fn counterpart(
        &mut self,
        olds: &[&Scope<'o>],
        index_of: &Index<'_>,
        member: &Member<'n>,
    ) -> Result<Option<Found>, MergeError> {
        let same: Vec<(Found, &Member<'o>)> = index_of.named(olds, &member.about.key);
        let Some((_, first)) = same.first() else {
            let claimed = index_of.claimed(&member.about.defines);
            return match claimed {
                Some((scope, at)) => Err(conflict(&olds[scope].members[at], member)),
                None => Ok(None),
            };
        };
        if let Some(inside) = &member.scope {
            let header = self.new_tokens(member, false);
            let alike: Vec<_> = same
                .iter()
                .filter(|(_, it)| it.scope.is_some() && self.old_tokens(it, false) == header)
                .collect();
            let Some((found, _)) = alike.last() else {
                return Err(conflict(first, member));
            };
            let scopes: Vec<&Scope<'o>> = alike
                .iter()
                .filter_map(|(_, it)| it.scope.as_ref())
                .collect();
            self.scope(&scopes, inside)?;
            return Ok(Some(*found));
        }
        let said = self.new_tokens(member, true);
        let equal = same
            .iter()
            .find(|(_, it)| self.old_tokens(it, true) == said);
        if let Some((found, _)) = equal {
            return Ok(Some(*found));
        }
        if self.extend_exports(first, member) {
            return Ok(Some(same[0].0));
        }
        Err(conflict(first, member))
    }

    /// Whether a missing member occurs earlier in the new text, in the same words.
    fn is_repeated(
        &self,
        add: &Scope<'n>,
        missing: &[usize],
        member: &Member<'n>,
    ) -> Result<bool, MergeError> {
        let earlier = missing
            .iter()
            .map(|index| &add.members[*index])
            .find(|it| it.about.key == member.about.key);
        let Some(earlier) = earlier else {
            return Ok(false);
        };
        if self.new_tokens(earlier, true) == self.new_tokens(member, true) {
            return Ok(true);
        }
        if member.about.defines.is_empty() && member.scope.is_some() {
            return Ok(false);
        }
        Err(MergeError::Twice {
            member: member.about.label.clone(),
            first: earlier.line(),
            second: member.line(),
        })
    }

    fn docstring(&mut self, home: &Scope<'o>, add: &Scope<'n>) -> Result<(), MergeError> {
        let is_docstring = |kind| kind == Kind::Docstring;
        let Some(new) = add.members.iter().find(|it| is_docstring(it.about.kind)) else {
            return Ok(());
        };
        let Some(first) = home.members.first() else {
            self.edits
                .insert(home.open, self.member_text(new, "", None) + "\n");
            return Ok(());
        };
        if is_docstring(first.about.kind) {
            return Ok(());
        }
        if !self.begins_line(first.start) {
            return Err(MergeError::Place {
                member: new.about.label.clone(),
                reason: "the body is on one line",
                side: Side::Existing,
                line: first.line(),
            });
        }
        let indent = self.indent(home);
        let text = self.member_text(new, &indent, None);
        self.edits
            .insert(first.start, format!("{text}\n\n{indent}"));
        Ok(())
    }

    fn old_tokens(&self, member: &Member<'_>, with_body: bool) -> String {
        member.tokens(self.old.language, self.old.source, with_body)
    }

    pub(super) fn new_tokens(&self, member: &Member<'_>, with_body: bool) -> String {
        member.tokens(self.new.language, self.new.source, with_body)
    }

    /// A member's text at another depth, its first line without indentation. With a separator it gets that
    /// one instead of its own.
    pub(super) fn member_text(
        &self,
        member: &Member<'n>,
        indent: &str,
        separator: Option<&str>,
    ) -> String {
        let source = self.new.source;
        let text = match separator {
            None => source[member.start..member.end].to_owned(),
            Some(separator) => {
                let rest = &source[member.core_end..member.end];
                let rest = rest.trim_start_matches([',', ';']);
                format!(
                    "{}{separator}{rest}",
                    &source[member.start..member.core_end]
                )
            }
        };
        let from = leading(&source[line_start(source, member.start)..]);
        let shift = Shift {
            from,
            to: indent,
            from_unit: &self.new_unit,
            to_unit: &self.old_unit,
        };
        let first_row = source[..member.start].matches('\n').count();
        let mut lines = Vec::new();
        for (offset, line) in text.split('\n').enumerate() {
            let in_string = self.in_strings.get(first_row + offset) == Some(&true);
            lines.push(if offset == 0 || in_string {
                line.to_owned()
            } else {
                shift.line(line)
            });
        }
        lines.join("\n")
    }

    /// One step of indentation in the existing text.
    pub(super) fn unit(&self) -> &str {
        &self.old_unit
    }

    /// The indentation of an existing scope's members.
    pub(super) fn indent(&self, scope: &Scope<'o>) -> String {
        if scope.is_file {
            return String::new();
        }
        let member = scope
            .members
            .iter()
            .find(|member| self.begins_line(member.start));
        match member {
            Some(member) => self.old_indent(member.start).to_owned(),
            None => format!("{}{}", self.old_indent(scope.owner), self.old_unit),
        }
    }

    /// The indentation of the line that a byte of the existing text is in.
    pub(super) fn old_indent(&self, position: usize) -> &'o str {
        leading(&self.old.source[line_start(self.old.source, position)..])
    }

    /// Whether nothing but white space is in front of a byte of the existing text.
    pub(super) fn begins_line(&self, position: usize) -> bool {
        let start = line_start(self.old.source, position);
        self.old.source[start..position].trim().is_empty()
    }
}

/// Existing members by key and by the names that they claim.
struct Index<'a> {
    by_key: HashMap<&'a str, Vec<Found>>,
    by_claim: HashMap<&'a str, Found>,
}

impl<'a> Index<'a> {
    fn of(olds: &[&'a Scope<'_>]) -> Self {
        let mut index = Self {
            by_key: HashMap::new(),
            by_claim: HashMap::new(),
        };
        for (scope, old) in olds.iter().enumerate() {
            for (at, member) in old.members.iter().enumerate() {
                let found = (scope, at);
                index
                    .by_key
                    .entry(&member.about.key)
                    .or_default()
                    .push(found);
                for name in &member.about.defines {
                    index.by_claim.entry(name).or_insert(found);
                }
            }
        }
        index
    }

    fn named<'s, 'o>(&self, olds: &[&'s Scope<'o>], key: &str) -> Vec<(Found, &'s Member<'o>)> {
        let found = self.by_key.get(key).into_iter().flatten();
        found
            .map(|(scope, at)| ((*scope, *at), &olds[*scope].members[*at]))
            .collect()
    }

    fn claimed(&self, names: &[String]) -> Option<Found> {
        names
            .iter()
            .find_map(|name| self.by_claim.get(name.as_str()))
            .copied()
    }
}

fn conflict(old: &Member<'_>, new: &Member<'_>) -> MergeError {
    MergeError::Conflict {
        member: new.about.label.clone(),
        existing: old.line(),
        new: new.line(),
    }
}
