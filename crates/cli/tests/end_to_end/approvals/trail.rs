//! The audit trail, and signed approvals that remember how it was.

use super::wall::Wall;
use crate::messages::says;

/// An attacker who can write to the database and knows how its hashes are made.
const FORGER: &str = r#"
import hashlib, sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
for trigger in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
    connection.execute(f"DROP TRIGGER {trigger[0]}")
connection.execute(sys.argv[2])
previous = ""
rows = connection.execute("SELECT seq, run, at, actor, kind, body FROM records ORDER BY seq").fetchall()
for seq, (old, run, at, actor, kind, body) in enumerate(rows, 1):
    digest = hashlib.sha256()
    for field in [str(seq), run, at, actor, kind, body, previous]:
        digest.update((2**64 - 1 if field is None else len(field.encode())).to_bytes(8, "little"))
        digest.update((field or "").encode())
    connection.execute(
        "UPDATE records SET seq = ?, prev = ?, hash = ? WHERE seq = ?", [seq, previous, digest.hexdigest(), old]
    )
    previous = digest.hexdigest()
connection.commit()
"#;

impl Wall {
    /// Changes the trail, and every hash of it so that they fit again.
    fn forge(&self, change: &str) {
        let mut command = self.environment.command("python3");
        let database = self.repository.path().join(".git/proctor/journal.db");
        command.args(["-c", FORGER]).arg(database).arg(change);
        self.environment.run(command).expect_code(0);
    }

    /// Approves a change of one's own at the terminal.
    fn approve_own(&self, content: &str) {
        self.repository.write("README.md", content);
        let mut terminal = self.review(&["--all", "-m", "Something"]);
        assert_eq!(terminal.wait(), 0);
    }

    /// Three changes that were approved, one after the other.
    fn of_three() -> Self {
        let wall = Self::new();
        for content in ["one\n", "two\n", "three\n"] {
            wall.approve_own(content);
        }
        wall
    }

    /// The text below the records.
    fn trail_holds(&self) -> String {
        let said = self.environment.proctor(["log", "--verify"]);
        let printed = said.expect_code(0).stdout.lines();
        let records = |line: &&str| line.starts_with("    ");
        printed.skip_while(records).collect::<Vec<_>>().join("\n")
    }
}

/// Fails the test unless the trail is found to lack something.
fn assert_lost(wall: &Wall) {
    let said = wall.environment.proctor(["log", "--verify"]);
    says(
        &said,
        1,
        "the audit trail lacks what signed approvals name, so it was truncated or rewritten\nREFERENCE",
    );
}

#[test]
fn a_trail_is_what_approvals_say_it_was() {
    let wall = Wall::of_three();
    insta::assert_snapshot!(wall.trail_holds(), @r"
    6 records, chain unbroken
    signed approvals that say so: 3
    ");
    // A forger who changes nothing is not detected, and there is nothing to detect.
    wall.forge("SELECT 1");
    assert_eq!(wall.trail_holds().lines().count(), 2);
}

#[test]
fn a_trail_that_is_cut_off_is_noticed_although_its_chain_holds() {
    for behind in [0, 2, 3] {
        let wall = Wall::of_three();
        wall.forge(&format!(
            "DELETE FROM records WHERE seq > (SELECT max(seq) FROM records) - {behind}"
        ));
        if behind == 0 {
            wall.trail_holds();
        } else {
            assert_lost(&wall);
        }
    }
}

#[test]
fn a_rewritten_trail_is_noticed_although_its_chain_holds() {
    let wall = Wall::of_three();
    // Another message of the second commit; its signed approval stays as it was.
    wall.forge("UPDATE records SET body = replace(body, 'Something', 'Anything') WHERE seq = 3");
    let said = wall
        .environment
        .proctor(["--format", "json", "log", "--verify"]);
    assert_eq!(said.code, 1);
    let document = said.json();
    assert_eq!(document["verified"], false, "{document:#}");
    assert_eq!(
        document["missing"].as_array().map(Vec::len),
        Some(1),
        "{document:#}"
    );
    // From its very beginning.
    let wall = Wall::of_three();
    wall.forge("UPDATE records SET actor = 'Eve <eve@example.com>' WHERE seq = 1");
    assert_lost(&wall);
    // Without the approvals it could be another clone's: that is reported, and is not proof.
    wall.forge("DELETE FROM records WHERE seq > 2");
    insta::assert_snapshot!(wall.trail_holds(), @r"
    2 records, chain unbroken
    signed approvals that say so: 1
    signed approvals of another trail, another clone's or one that this took the place of: 2
    ");
}

#[test]
fn approvals_of_others_say_nothing_about_this_trail() {
    let wall = Wall::of_three();
    wall.commit("four\n");
    // Signed elsewhere; and by a stranger who names this trail, to make it look cut off.
    wall.approve("HEAD");
    let trail = wall.environment.proctor(["--format", "json", "log"]).json();
    let first = trail["records"][0]["hash"]
        .as_str()
        .expect("a hash")
        .to_owned();
    let eve = wall.environment.ssh_key("eve", "ed25519", &[]);
    wall.sign("HEAD", &eve, |statement| {
        statement.trail = Some("0".repeat(64));
        statement.trail_start = Some(first.clone());
    });
    insta::assert_snapshot!(wall.trail_holds(), @r"
    6 records, chain unbroken
    signed approvals that say so: 3
    signed approvals of another trail, another clone's or one that this took the place of: 1
    ");
    // A listed person can claim so: then it is worth a look.
    wall.sign("HEAD", &wall.key, |statement| {
        statement.trail = Some("0".repeat(64));
        statement.trail_start = Some(first.clone());
    });
    assert_lost(&wall);
}
