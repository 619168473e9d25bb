//! `extend`: the members that are missing, put where they belong into the untouched existing text.
//!
//! Both texts are parsed, their members are keyed (`description.rs` and a file per language), and members that only the
//! new text has are spliced in (`merger.rs`, `placement.rs`, `splice.rs`). Existing bytes stay as they are, except for
//! separators, lists of imports and a placeholder `pass`. The result is parsed again before it is returned: it has
//! exactly the members of both.

mod description;
mod ecmascript;
mod edits;
mod gaps;
mod go;
mod imports;
mod indentation;
mod java;
mod language;
mod merger;
mod outline;
mod placement;
mod python;
mod rust;
mod splice;
mod tokens;
mod union;

use std::collections::BTreeSet;

use super::text_form::{ends_in_returns, line_end, marked, plain, unmarked};
use super::{MergeError, Side};
pub(crate) use language::{Language, is_comment};
use merger::Merger;
use outline::{Kind, Reader, Scope};

/// The existing text with the new text's members in it.
pub(super) fn extend(name: &str, existing: &str, new: &str) -> Result<String, MergeError> {
    let language = Language::of(name).ok_or_else(|| MergeError::Language(name.to_owned()))?;
    let (existing, mark) = unmarked(existing);
    let new = plain(unmarked(new).0);
    // Where every line ends in the same way, nothing below has to know which: no text of several lines differs by it.
    if ends_in_returns(existing) {
        let merged = extended(language, &plain(existing), &new)?;
        return Ok(marked(merged.replace('\n', "\r\n"), mark));
    }
    Ok(marked(extended(language, existing, &new)?, mark))
}

fn extended(language: Language, existing: &str, new: &str) -> Result<String, MergeError> {
    let old_tree = language.parse(existing, Side::Existing, None)?;
    let new_tree = language.parse(new, Side::New, None)?;
    let reader = |source| Reader { language, source };
    let old_scope = reader(existing).file(old_tree.root_node());
    let new_scope = reader(new).file(new_tree.root_node());
    let mut work = Merger::new(reader(existing), reader(new), new_tree.root_node());
    work.scope(&[&old_scope], &new_scope)?;
    let edits = work.edits.settled(line_end(existing.as_bytes()));
    if edits.is_empty() {
        return Ok(existing.to_owned());
    }
    let merged = edits.applied(existing);
    // The result is parsed again before it is returned: the splicing is not trusted.
    let mut told = old_tree.clone();
    edits.tell(&mut told, existing);
    let tree = language.parse(&merged, Side::Merged, Some(&told))?;
    let mut expected = BTreeSet::new();
    collect_keys(&old_scope, "", &mut expected);
    collect_keys(&new_scope, "", &mut expected);
    let mut found = BTreeSet::new();
    collect_keys(&reader(&merged).file(tree.root_node()), "", &mut found);
    if let Some(member) = expected.symmetric_difference(&found).next() {
        let words = member.trim_start_matches('/').replace('\u{1f}', " ");
        return Err(MergeError::Members(words));
    }
    Ok(merged)
}

fn collect_keys(scope: &Scope<'_>, prefix: &str, keys: &mut BTreeSet<String>) {
    for member in &scope.members {
        if matches!(
            member.about.kind,
            Kind::Import | Kind::Docstring | Kind::Placeholder
        ) {
            continue;
        }
        let path = format!("{prefix}/{}", member.about.key);
        if let Some(inside) = &member.scope {
            collect_keys(inside, &path, keys);
        }
        keys.insert(path);
    }
}
