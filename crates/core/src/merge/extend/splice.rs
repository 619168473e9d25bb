//! Putting members into the text at their places, with the separators and blank lines that belong there.

use super::language::child_of_kind;
use super::merger::Merger;
use super::outline::{Member, Scope};
use super::placement::Place;
use crate::merge::{MergeError, Side};

impl<'o, 'n> Merger<'o, 'n> {
    pub(super) fn splice(
        &mut self,
        olds: &[&Scope<'o>],
        place: Place,
        batch: &[&Member<'n>],
    ) -> Result<(), MergeError> {
        match place {
            Place::After(scope, at) => self.after(olds[scope], at, batch),
            Place::Before(scope, at) => {
                self.before(olds[scope], at, batch);
                Ok(())
            }
            Place::Instead(scope, at) => {
                self.instead(olds[scope], at, batch);
                Ok(())
            }
            Place::Inside(scope) => {
                self.inside(olds[scope], batch);
                Ok(())
            }
        }
    }

    fn after(
        &mut self,
        scope: &Scope<'o>,
        at: usize,
        batch: &[&Member<'n>],
    ) -> Result<(), MergeError> {
        let anchor = &scope.members[at];
        let next = scope.members.get(at + 1);
        let source = self.old.source;
        let rest = source[anchor.end..].lines().next().unwrap_or_default();
        let line_end = source[anchor.end..]
            .find('\n')
            .map_or(source.len(), |at| anchor.end + at);
        let on_one_line = !source[scope.open..scope.close].contains('\n')
            || next.is_some_and(|next| next.start < line_end);
        if !rest.trim().is_empty() && self.old.language.is_indented() {
            return Err(MergeError::Place {
                member: batch[0].about.label.clone(),
                reason: "its neighbour shares a line with something else",
                side: Side::Existing,
                line: anchor.line(),
            });
        }
        let values = batch.iter().take_while(|it| it.about.comma).count();
        let (batch, others) = if anchor.about.comma {
            batch.split_at(values)
        } else {
            (batch, &[][..])
        };
        let ending = (!others.is_empty())
            .then(|| end_of_values(anchor))
            .flatten();
        let lacks_ending = !others.is_empty() && ending.is_none();
        if batch.is_empty() {
            if lacks_ending {
                self.edits.insert(anchor.core_end, ";".to_owned());
            }
            self.behind_values(scope, at, others, ending);
            return Ok(());
        }
        let comma = anchor.about.comma && batch[0].about.comma;
        if comma && anchor.separator.is_none() {
            self.edits.insert(anchor.core_end, ",".to_owned());
        }
        let ends_in_comma = next.is_some_and(|it| it.about.comma) || anchor.separator.is_some();
        let separator = |position: usize, member: &Member<'n>| {
            if comma {
                let more = position + 1 < batch.len();
                return Some(match (more, lacks_ending, ends_in_comma) {
                    (true, _, _) | (_, false, true) => ",",
                    (false, true, _) => ";",
                    (false, false, false) => "",
                });
            }
            habitual_separator(scope, member)
        };
        let indent = self.indent(scope);
        let mut text = String::new();
        let mut kind = anchor.about.kind;
        for (position, member) in batch.iter().enumerate() {
            let inline = comma && on_one_line && member.start == member.nodes[0].start_byte();
            if inline {
                text.push(' ');
            } else {
                let gap = self.usual_gap(scope, kind, member.about.kind);
                text.push_str(&"\n".repeat(gap + 1));
                text.push_str(&indent);
            }
            text.push_str(&self.member_text(member, &indent, separator(position, member)));
            kind = member.about.kind;
        }
        if let Some(next) = next
            && rest.trim().is_empty()
        {
            let wanted = self.usual_gap(scope, kind, next.about.kind);
            let there = self.blank_lines(anchor, next);
            text.push_str(&"\n".repeat(wanted.saturating_sub(there)));
        } else if !(rest.trim().is_empty() || rest.starts_with(';') || comma && on_one_line) {
            text.push('\n');
            text.push_str(self.old_indent(scope.owner));
        }
        self.edits.insert(anchor.end, text);
        if !others.is_empty() {
            self.behind_values(scope, at, others, ending);
        }
        Ok(())
    }

    /// Puts a member that is not a value after the last value (`at`): after the sign that ends the values, or directly
    /// after it where that sign is new.
    fn behind_values(
        &mut self,
        scope: &Scope<'o>,
        at: usize,
        batch: &[&Member<'n>],
        ending: Option<usize>,
    ) {
        let (anchor, next) = (&scope.members[at], scope.members.get(at + 1));
        let source = self.old.source;
        let position = ending.map_or(anchor.end, |ending| {
            let line_end = source[ending..]
                .find('\n')
                .map_or(source.len(), |at| ending + at);
            let is_free = next.is_none_or(|next| next.start > line_end) && line_end < scope.close;
            if is_free { line_end } else { ending }
        });
        let indent = self.indent(scope);
        let mut text = String::new();
        let mut kind = anchor.about.kind;
        for member in batch {
            let gap = self.usual_gap(scope, kind, member.about.kind).max(1);
            text.push_str(&"\n".repeat(gap + 1));
            text.push_str(&indent);
            text.push_str(&self.member_text(member, &indent, None));
            kind = member.about.kind;
        }
        let behind = &source[position..next.map_or(scope.close, |next| next.start)];
        let there = behind.matches('\n').count();
        if let Some(next) = next {
            let wanted = self.usual_gap(scope, kind, next.about.kind) + 1;
            text.push_str(&"\n".repeat(wanted.saturating_sub(there)));
        } else if there == 0 {
            text.push('\n');
            text.push_str(self.old_indent(scope.owner));
        }
        self.edits.insert(position, text);
    }

    fn before(&mut self, scope: &Scope<'o>, at: usize, batch: &[&Member<'n>]) {
        let anchor = &scope.members[at];
        let indent = self.indent(scope);
        let mut text = String::new();
        for (position, member) in batch.iter().enumerate() {
            let separator = if member.about.comma {
                Some(",")
            } else {
                habitual_separator(scope, member)
            };
            text.push_str(&self.member_text(member, &indent, separator));
            let next = batch
                .get(position + 1)
                .map_or(anchor.about.kind, |it| it.about.kind);
            let gap = self.usual_gap(scope, member.about.kind, next);
            text.push_str(&"\n".repeat(gap + 1));
            text.push_str(&indent);
        }
        self.edits.insert(anchor.start, text);
    }

    /// Members in the place of a `pass`; a comment after it stays.
    fn instead(&mut self, scope: &Scope<'o>, at: usize, batch: &[&Member<'n>]) {
        let placeholder = &scope.members[at];
        let own_line = self.begins_line(placeholder.start);
        let indent = if own_line {
            self.indent(scope)
        } else {
            format!("{}{}", self.old_indent(scope.owner), self.unit())
        };
        let text = self.batch_text(scope, batch, &indent);
        let has_comment = placeholder.end > placeholder.core_end;
        let start = placeholder.nodes[0].start_byte();
        if has_comment {
            let gap = &self.old.source[placeholder.core_end..placeholder.end];
            let spaces = gap.len() - gap.trim_start().len();
            self.edits
                .replace(start..placeholder.core_end + spaces, String::new());
            self.edits
                .insert(placeholder.end, format!("\n{indent}{text}"));
        } else if own_line {
            self.edits.replace(start..placeholder.core_end, text);
        } else {
            let head = self.old.source[..start].trim_end_matches([' ', '\t']).len();
            self.edits
                .replace(head..placeholder.core_end, format!("\n{indent}{text}"));
        }
    }

    fn inside(&mut self, scope: &Scope<'o>, batch: &[&Member<'n>]) {
        let indent = self.indent(scope);
        let text = self.batch_text(scope, batch, &indent);
        if scope.is_file {
            self.at_end_of_text(scope, &text);
            return;
        }
        let between = &self.old.source[scope.open..scope.close];
        let closing = self.old_indent(scope.owner).to_owned();
        if between.trim().is_empty() {
            let text = format!("\n{indent}{text}\n{closing}");
            self.edits.replace(scope.open..scope.close, text);
        } else {
            // Comments only: they stay in front.
            let end = scope.open + between.trim_end().len();
            let tail = if between.trim_end_matches([' ', '\t']).ends_with('\n') {
                String::new()
            } else {
                format!("\n{closing}")
            };
            self.edits.insert(end, format!("\n{indent}{text}{tail}"));
        }
    }

    /// At the end of a file that has no members yet.
    pub(super) fn at_end_of_text(&mut self, scope: &Scope<'o>, text: &str) {
        let source = self.old.source;
        let end = source.trim_end().len();
        if end == 0 {
            self.edits.insert(scope.close, format!("{text}\n"));
        } else {
            let last = if source.len() > end { "" } else { "\n" };
            self.edits.insert(end, format!("\n\n{text}{last}"));
        }
    }

    fn batch_text(&self, scope: &Scope<'o>, batch: &[&Member<'n>], indent: &str) -> String {
        let mut text = String::new();
        for (position, member) in batch.iter().enumerate() {
            if let Some(before) = position.checked_sub(1) {
                let gap = self.usual_gap(scope, batch[before].about.kind, member.about.kind);
                text.push_str(&"\n".repeat(gap + 1));
                text.push_str(indent);
            }
            let separator = member.about.comma.then_some(",");
            text.push_str(&self.member_text(member, indent, separator));
        }
        text
    }
}

/// The end of the sign that follows the values of a Java enum, if it exists.
fn end_of_values(value: &Member<'_>) -> Option<usize> {
    let body = value.nodes.last()?.parent()?;
    let behind = child_of_kind(body, "enum_body_declarations")?;
    child_of_kind(behind, ";").map(|sign| sign.end_byte())
}

/// A semicolon for a field whose siblings all have one.
fn habitual_separator(scope: &Scope<'_>, member: &Member<'_>) -> Option<&'static str> {
    let mut siblings = scope
        .members
        .iter()
        .filter(|it| it.about.kind == member.about.kind)
        .peekable();
    let habit = siblings.peek().is_some() && siblings.all(|it| it.separator == Some(";"));
    (habit && member.separator.is_none()).then_some(";")
}
