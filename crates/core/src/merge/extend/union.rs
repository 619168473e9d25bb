//! Code that is extended name by name: imports and Python's `__all__`.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::imports::{Binding, List};
use super::language::{Language, children};
use super::merger::Merger;
use super::outline::{Kind, Member, Scope};
use crate::merge::MergeError;

impl<'o, 'n> Merger<'o, 'n> {
    /// Brings the imports of `add` into a scope.
    pub(super) fn imports(&mut self, home: &Scope<'o>, add: &Scope<'n>) -> Result<(), MergeError> {
        let existing: Vec<(&Binding, &Member<'o>)> = home
            .members
            .iter()
            .flat_map(|member| {
                member
                    .about
                    .imported
                    .bindings
                    .iter()
                    .map(move |it| (it, member))
            })
            .collect();
        let mut known: BTreeSet<&str> = existing.iter().map(|(it, _)| &*it.identity).collect();
        let mut joining: BTreeMap<usize, (String, Vec<&str>)> = BTreeMap::new();
        let (mut first, mut others) = (Vec::new(), Vec::new());
        for member in add
            .members
            .iter()
            .filter(|it| it.about.kind == Kind::Import)
        {
            let imported = &member.about.imported;
            let mut missing = Vec::new();
            for binding in &imported.bindings {
                if known.contains(&*binding.identity) {
                    continue;
                }
                if self.is_imported(&existing, binding, member)? {
                    continue;
                }
                known.insert(&binding.identity);
                missing.push(binding);
            }
            let list_of = |binding: &Binding| -> Option<&List> {
                let lists = home
                    .members
                    .iter()
                    .filter_map(|it| it.about.imported.list.as_ref());
                let mut lists = lists.filter(|it| it.group == binding.group);
                lists.next().filter(|_| !binding.group.is_empty())
            };
            let whole = missing.len() == imported.bindings.len()
                && missing.iter().all(|binding| list_of(binding).is_none());
            let statements = if imported.comes_first {
                &mut first
            } else {
                &mut others
            };
            if whole && !missing.is_empty() {
                let start = member.nodes[0].start_byte();
                statements.push(self.new.source[start..member.end].to_owned());
                continue;
            }
            for binding in missing {
                match list_of(binding) {
                    Some(list) => {
                        let entry = joining.entry(list.end).or_default();
                        entry.0.clone_from(&list.between);
                        entry.1.push(&binding.item);
                    }
                    None => statements.push(binding.statement.clone()),
                }
            }
        }
        for (end, (between, items)) in joining {
            let text = format!("{between}{}", items.join(&between));
            self.edits.insert(end, text);
        }
        self.import_statements(home, &first, true);
        self.import_statements(home, &others, false);
        Ok(())
    }

    /// Whether the same thing already has this name in another spelling; an error if another thing has it.
    fn is_imported(
        &self,
        existing: &[(&Binding, &Member<'o>)],
        binding: &Binding,
        member: &Member<'n>,
    ) -> Result<bool, MergeError> {
        let Some(local) = &binding.local else {
            return Ok(false);
        };
        let mut named = existing
            .iter()
            .filter(|(it, _)| it.local.as_ref() == Some(local));
        let Some((other, at)) = named.next() else {
            return Ok(false);
        };
        let typed = |binding: &Binding| binding.identity.starts_with("import type");
        let is_ecmascript = matches!(
            self.new.language,
            Language::TypeScript | Language::Tsx | Language::JavaScript
        );
        let clashes =
            other.source != binding.source || is_ecmascript && typed(other) && !typed(binding);
        if clashes {
            return Err(MergeError::Conflict {
                member: format!("import `{local}`"),
                existing: at.line(),
                new: member.line(),
            });
        }
        Ok(is_ecmascript)
    }

    fn import_statements(&mut self, home: &Scope<'o>, statements: &[String], comes_first: bool) {
        if statements.is_empty() {
            return;
        }
        let indent = self.indent(home);
        let between = format!("\n{indent}");
        let text = statements.join(&between);
        let is_import = |member: &&Member<'o>| member.about.kind == Kind::Import;
        let from = home.members.iter().position(|member| is_import(&member));
        let run = from.map_or(&[][..], |from| &home.members[from..]);
        let run: Vec<&Member<'o>> = run.iter().take_while(is_import).collect();
        let same = run
            .iter()
            .rfind(|it| !comes_first || it.about.imported.comes_first);
        if let Some(last) = same {
            self.edits.insert(last.end, format!("{between}{text}"));
        } else if let Some(next) = run.first() {
            self.edits.insert(next.start, format!("{text}\n{between}"));
        } else {
            self.first_imports(home, &text, &indent);
        }
    }

    /// Imports for a scope that has none: after the members that come first, before everything else.
    fn first_imports(&mut self, home: &Scope<'o>, text: &str, indent: &str) {
        let front = home
            .members
            .iter()
            .take_while(|it| matches!(it.about.kind, Kind::Front | Kind::Docstring))
            .count();
        let next = home.members.get(front);
        let gap = next.map_or(0, |next| {
            self.usual_gap(home, Kind::Import, next.about.kind)
        });
        match (front.checked_sub(1).map(|at| &home.members[at]), next) {
            (Some(before), None) => self.edits.insert(before.end, format!("\n\n{indent}{text}")),
            (Some(before), Some(next)) => {
                let there = self.blank_lines(before, next);
                let more = "\n".repeat(gap.saturating_sub(there));
                self.edits
                    .insert(before.end, format!("\n\n{indent}{text}{more}"));
            }
            (None, Some(next)) => {
                let blank = "\n".repeat(gap);
                self.edits
                    .insert(next.start, format!("{text}\n{blank}{indent}"));
            }
            (None, None) => self.at_end_of_text(home, text),
        }
    }

    /// Appends the names that an `__all__` lacks; false if this is none, or not a plain list.
    pub(super) fn extend_exports(&mut self, old: &Member<'o>, new: &Member<'n>) -> bool {
        if self.old.language != Language::Python || new.about.defines != ["__all__"] {
            return false;
        }
        let (Some(before), Some(after)) = (literal(old.nodes[0]), literal(new.nodes[0])) else {
            return false;
        };
        let existing: Vec<&str> = strings(before)
            .iter()
            .map(|it| unquoted(self.old.text(*it)))
            .collect();
        let missing: Vec<&str> = strings(after)
            .iter()
            .map(|it| self.new.text(*it))
            .filter(|it| !existing.contains(&unquoted(it)))
            .collect();
        let last = strings(before).pop();
        let text: String = match last {
            Some(last) => {
                let between = List::after(self.old.source, "", before, last).between;
                missing
                    .iter()
                    .fold(String::new(), |text, item| text + &between + item)
            }
            None => missing.join(", "),
        };
        let position = last.map_or(before.start_byte() + 1, |it| it.end_byte());
        self.edits.insert(position, text);
        true
    }
}

/// The list or tuple of strings that is assigned.
fn literal(statement: Node<'_>) -> Option<Node<'_>> {
    let value = statement.child(0)?.child_by_field_name("right")?;
    let is_list = matches!(value.kind(), "list" | "tuple");
    let named = || children(value).into_iter().filter(Node::is_named);
    let plain = named().all(|it| matches!(it.kind(), "string" | "comment"));
    // A tuple of one needs its comma, which a name put before it would use up.
    (is_list && plain && (value.kind() == "list" || named().count() != 1)).then_some(value)
}

fn strings(list: Node<'_>) -> Vec<Node<'_>> {
    children(list)
        .into_iter()
        .filter(|it| it.kind() == "string")
        .collect()
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\''])
}
