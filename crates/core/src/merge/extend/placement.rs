//! Where a missing member goes.
//!
//! After the nearest sibling before it that exists, else before the nearest one after it, else after the last of its
//! kind, else at the end. Members that belong at the end stay there, and members needed when the file is loaded come
//! before their users.

use super::merger::Merger;
use super::outline::{Kind, Member, Scope};
use super::tokens::used_names;
use crate::merge::MergeError;

/// A place in one of the existing scopes of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Behind a member: which scope, which member.
    After(usize, usize),
    /// In front of one.
    Before(usize, usize),
    /// In the place of a `pass`.
    Instead(usize, usize),
    /// In a scope without members.
    Inside(usize),
}

impl<'o, 'n> Merger<'o, 'n> {
    /// Places the missing members; `places` knows where the others are.
    pub(super) fn place(
        &mut self,
        olds: &[&Scope<'o>],
        add: &Scope<'n>,
        missing: &[usize],
        places: &mut [Option<Place>],
    ) -> Result<(), MergeError> {
        let existing: Vec<Option<Place>> = places.to_vec();
        let mut batches: Vec<(Place, Vec<&Member<'n>>)> = Vec::new();
        for &index in missing {
            let member = &add.members[index];
            let place = self.place_of(olds, add, index, places, &existing);
            places[index] = Some(place);
            match batches.iter_mut().find(|(other, _)| *other == place) {
                Some((_, batch)) => batch.push(member),
                None => batches.push((place, vec![member])),
            }
        }
        for (place, batch) in batches {
            self.splice(olds, place, &batch)?;
        }
        Ok(())
    }

    fn place_of(
        &self,
        olds: &[&Scope<'o>],
        add: &Scope<'n>,
        index: usize,
        places: &[Option<Place>],
        existing: &[Option<Place>],
    ) -> Place {
        let member = &add.members[index];
        let home = olds.len() - 1;
        let members = &olds[home].members;
        let is_empty =
            |it: &Member<'o>| matches!(it.about.kind, Kind::Placeholder | Kind::Docstring);
        let placeholder = members
            .iter()
            .position(|it| it.about.kind == Kind::Placeholder);
        if let Some(at) = placeholder.filter(|_| members.iter().all(is_empty)) {
            return Place::Instead(home, at);
        }
        let is_anchor = |other: &usize| {
            let about = &add.members[*other].about;
            !matches!(about.kind, Kind::Last | Kind::Front) && about.defines != ["__all__"]
        };
        // Where the order of loading matters, new members stay together in theirs.
        let known = if olds[home].is_file && self.old.language.runs_in_order() {
            places
        } else {
            existing
        };
        let before = (0..index).rev().filter(is_anchor).find_map(|it| known[it]);
        let behind = || {
            let mut others = (index + 1..add.members.len()).filter(is_anchor);
            let found = others.find_map(|it| existing[it]);
            found.map(|place| match place {
                Place::After(scope, at) => Place::Before(scope, at),
                other => other,
            })
        };
        let kind = member.about.kind;
        let of_kind = || {
            let alike =
                |it: &Member<'o>| it.about.kind == kind && it.about.comma == member.about.comma;
            let last = members.iter().rposition(alike);
            last.map(|at| Place::After(home, at))
        };
        let at_end = || match members.len() {
            0 => Place::Inside(home),
            count => Place::After(home, count - 1),
        };
        let place = before
            .or_else(behind)
            .or_else(of_kind)
            .unwrap_or_else(at_end);
        self.moved(olds, place, member)
    }

    /// Before the members that stay at the end, after those that the member needs.
    fn moved(&self, olds: &[&Scope<'o>], place: Place, member: &Member<'n>) -> Place {
        let (scope, mut next) = match place {
            Place::After(scope, at) => (scope, at + 1),
            Place::Before(scope, at) => (scope, at),
            other => return other,
        };
        let members = &olds[scope].members;
        // Comma-separated values stay together, in front of everything else.
        if let Some(last) = members.iter().rposition(|it| it.about.comma) {
            let belongs = if member.about.comma {
                next <= last + 1
            } else {
                next > last
            };
            if !belongs {
                return Place::After(scope, last);
            }
        }
        let mut place = place;
        if olds[scope].is_file && self.old.language.runs_in_order() {
            let used = used_names(&member.nodes, self.new.source);
            let needed = members.iter().rposition(|it| {
                it.about
                    .defines
                    .iter()
                    .any(|name| used.contains(&name.as_str()))
            });
            if let Some(needed) = needed.filter(|needed| *needed >= next) {
                place = Place::After(scope, needed);
                next = needed + 1;
            }
        }
        let is_last = |it: &Member<'o>| it.about.kind == Kind::Last;
        let tail = members.iter().rev().take_while(|it| is_last(it)).count();
        let first_last = members.len() - tail;
        if member.about.kind != Kind::Last && next > first_last {
            return Place::Before(scope, first_last);
        }
        let is_front =
            |it: &Member<'o>| matches!(it.about.kind, Kind::Front | Kind::Docstring | Kind::Import);
        let front = members.iter().take_while(|it| is_front(it)).count();
        if next < front && member.about.kind != Kind::Front {
            return Place::After(scope, front - 1);
        }
        place
    }
}
