//! Changes are noticed.

use proctor_host::journal::Broken;

use crate::{sql, verdict, written};

#[test]
fn a_change_to_any_field_of_any_record_is_found() {
    for seq in 1..=5 {
        for (field, value) in [
            ("run", "'other'"),
            ("run", "CASE WHEN run IS NULL THEN '' END"),
            ("at", "'2020-01-01T00:00:00Z'"),
            ("actor", "'another person'"),
            ("kind", "'other'"),
            ("body", "body || ' '"),
            ("prev", "prev || '0'"),
            ("hash", "'0' || substr(hash, 2) || 'x'"),
        ] {
            let directory = written();
            sql(
                &directory,
                &format!("UPDATE records SET {field} = {value} WHERE seq = {seq}"),
            );
            let found = verdict(&directory).map_err(|broken| broken.seq);
            assert_eq!(found, Err(seq), "{field} = {value} in {seq}");
        }
    }
}

#[test]
fn a_change_to_what_a_run_was_started_with_is_found() {
    for change in [
        "UPDATE runs SET inputs = inputs || ' '",
        "UPDATE runs SET worktree = '/elsewhere'",
        "UPDATE runs SET branch = 'main'",
        "UPDATE runs SET started = replace(started, 'main', 'other')",
    ] {
        let directory = written();
        sql(&directory, change);
        let broken = verdict(&directory).expect_err(change);
        assert_eq!(
            broken.problem, "the run that it started was changed",
            "{change}"
        );
    }
}

#[test]
fn a_missing_record_is_found_by_the_one_after_it() {
    for (seq, noticed) in [(1, 2), (2, 3), (4, 5)] {
        let directory = written();
        sql(
            &directory,
            &format!("DELETE FROM records WHERE seq = {seq}"),
        );
        assert_eq!(
            verdict(&directory),
            Err(Broken {
                seq: noticed,
                problem: "a record before it is missing"
            })
        );
    }
}

/// An attacker's change to the records, and the record at which it is noticed.
const TAMPERING: [(&str, i64, &str); 6] = [
    (
        "text moved from one field to its neighbour",
        2,
        "UPDATE records SET actor = actor || substr(kind, 1, 1), kind = substr(kind, 2) WHERE seq = 2",
    ),
    (
        // The hash of another record's content: valid in itself, but not the one that the next record follows.
        "a change with a hash made to fit",
        3,
        "UPDATE records SET (run, at, actor, kind, body, prev, hash) =
            (SELECT run, at, actor, kind, body, prev, hash FROM records WHERE seq = 2)
         WHERE seq = 3",
    ),
    (
        "a missing record whose gap is closed",
        2,
        "DELETE FROM records WHERE seq = 2; UPDATE records SET seq = seq - 1 WHERE seq > 2",
    ),
    (
        "records that changed places",
        2,
        "UPDATE records SET seq = 100 WHERE seq = 2;
         UPDATE records SET seq = 2 WHERE seq = 3;
         UPDATE records SET seq = 3 WHERE seq = 100",
    ),
    (
        "an inserted record",
        3,
        "UPDATE records SET seq = -seq WHERE seq >= 3;
         UPDATE records SET seq = 1 - seq WHERE seq < 0;
         INSERT INTO records SELECT 3, run, at, actor, kind, body, hash, hash FROM records WHERE seq = 2",
    ),
    (
        "a record before the first",
        0,
        "INSERT INTO records SELECT 0, run, at, actor, kind, body, '', hash FROM records WHERE seq = 1",
    ),
];

#[test]
fn tampering_with_the_records_is_found() {
    for (what, seq, statements) in TAMPERING {
        let directory = written();
        sql(&directory, statements);
        let found = verdict(&directory).map_err(|broken| broken.seq);
        assert_eq!(found, Err(seq), "{what}");
    }
}
