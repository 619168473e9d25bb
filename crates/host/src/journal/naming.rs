//! How a person names a run: by its id, by a beginning of it that no other run has, or by its issue.

use super::{Journal, JournalError, RunRow};

/// A run as far as its name goes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    id: String,
    issue: String,
    is_open: bool,
}

impl Journal {
    /// The run that a person means. The open run of an issue goes before ended ones, an issue before the beginning of
    /// an id: `87` is never one of issue `870`.
    pub fn named(&self, name: &str) -> Result<RunRow, JournalError> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Candidate {
                id: row.get(0)?,
                issue: row.get(1)?,
                is_open: !row.get::<_, bool>(2)?,
            })
        };
        let candidates: Vec<Candidate> = self
            .connection
            .prepare("SELECT id, issue, ended FROM runs ORDER BY rowid")
            .and_then(|mut statement| statement.query_map([], read)?.collect())
            .map_err(|source| self.failed(source))?;
        match &meant(name, &candidates)[..] {
            [] => Err(JournalError::NoSuchRun(name.to_owned())),
            [one] => self.run(&one.id),
            several => Err(JournalError::Ambiguous {
                name: name.to_owned(),
                runs: several.iter().map(|it| it.id.clone()).collect(),
            }),
        }
    }
}

/// All that a name may mean.
fn meant<'a>(name: &str, candidates: &'a [Candidate]) -> Vec<&'a Candidate> {
    // The `#` is how people write the number of an issue.
    let name = name.strip_prefix('#').unwrap_or(name);
    let all = |fits: &dyn Fn(&Candidate) -> bool| -> Vec<&'a Candidate> {
        candidates.iter().filter(|it| fits(it)).collect()
    };
    let ways: [&dyn Fn(&Candidate) -> bool; 4] = [
        &|it| it.id == name,
        &|it| it.issue == name && it.is_open,
        &|it| it.issue == name,
        &|it| !name.is_empty() && it.id.starts_with(name),
    ];
    let found = ways.into_iter().map(all).find(|found| !found.is_empty());
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Candidate, meant};

    #[test]
    fn a_run_is_named_by_its_id_its_issue_or_a_beginning() {
        let runs = [
            ("87-aaaaaa", false),
            ("87-bbbbbb", true),
            ("870-cccccc", true),
            ("9-dddddd", false),
            ("9-eeeeee", false),
            ("PROJ-1-ffffff", true),
        ];
        let candidates = runs.map(|(id, is_open)| Candidate {
            id: id.to_owned(),
            issue: id.rsplit_once('-').expect("an id").0.to_owned(),
            is_open,
        });
        let cases: [(&str, &[&str]); 12] = [
            ("87-aaaaaa", &["87-aaaaaa"]),
            ("87", &["87-bbbbbb"]),
            ("#87", &["87-bbbbbb"]),
            ("87-", &["87-aaaaaa", "87-bbbbbb"]),
            ("87-a", &["87-aaaaaa"]),
            ("870", &["870-cccccc"]),
            ("8", &["87-aaaaaa", "87-bbbbbb", "870-cccccc"]),
            ("9", &["9-dddddd", "9-eeeeee"]),
            ("PROJ", &["PROJ-1-ffffff"]),
            ("PROJ-1", &["PROJ-1-ffffff"]),
            ("x", &[]),
            ("", &[]),
        ];
        for (name, expected) in cases {
            let found: Vec<&str> = meant(name, &candidates)
                .into_iter()
                .map(|it| it.id.as_str())
                .collect();
            assert_eq!(found, expected, "{name}");
        }
    }
}
