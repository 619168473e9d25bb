//! Blank lines between members, as the existing file has them.

use std::collections::BTreeMap;

use super::language::Language;
use super::merger::Merger;
use super::outline::{Kind, Member, Scope};

impl<'o> Merger<'o, '_> {
    /// The usual number of blank lines between two members of these kinds in a scope.
    pub(super) fn usual_gap(&self, scope: &Scope<'o>, before: Kind, behind: Kind) -> usize {
        let pairs = || scope.members.windows(2).map(|pair| (&pair[0], &pair[1]));
        let exactly =
            pairs().filter(|(one, two)| one.about.kind == before && two.about.kind == behind);
        let roughly = pairs().filter(|(one, two)| {
            is_block(one.about.kind) == is_block(before)
                && is_block(two.about.kind) == is_block(behind)
                && (one.about.kind == Kind::Import) == (before == Kind::Import)
        });
        self.majority(exactly)
            .or_else(|| self.majority(roughly))
            .unwrap_or_else(|| self.default_gap(scope, before, behind))
    }

    /// The blank lines between two neighbours.
    pub(super) fn blank_lines(&self, before: &Member<'o>, behind: &Member<'o>) -> usize {
        let between = &self.old.source[before.end..behind.start.max(before.end)];
        between.matches('\n').count().saturating_sub(1)
    }

    fn majority<'a>(
        &self,
        pairs: impl Iterator<Item = (&'a Member<'o>, &'a Member<'o>)>,
    ) -> Option<usize>
    where
        'o: 'a,
    {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for (before, behind) in pairs {
            let between = &self.old.source[before.end..behind.start.max(before.end)];
            if between.trim().is_empty() && between.contains('\n') {
                *counts.entry(self.blank_lines(before, behind)).or_default() += 1;
            }
        }
        counts
            .into_iter()
            .max_by_key(|(gap, count)| (*count, *gap))
            .map(|(gap, _)| gap)
    }

    fn default_gap(&self, scope: &Scope<'o>, before: Kind, behind: Kind) -> usize {
        let both = |kind| before == kind && behind == kind;
        if both(Kind::Value) || both(Kind::Import) || both(Kind::Statement) {
            return 0;
        }
        let is_python_file = scope.is_file && self.old.language == Language::Python;
        if is_python_file && (is_block(before) || is_block(behind)) {
            2
        } else {
            1
        }
    }
}

fn is_block(kind: Kind) -> bool {
    matches!(kind, Kind::Callable | Kind::Type | Kind::Last)
}
