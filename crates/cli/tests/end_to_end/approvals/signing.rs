//! Signing after APPROVE: own changes, and existing commits.

use proctor_testkit::Terminal;

use super::wall::{ANY_KEY, Wall, line, signatures};
use crate::messages::says;
use crate::project::PROMPT;

impl Wall {
    pub(super) fn review(&self, more: &[&str]) -> Terminal {
        let mut words = vec!["review"];
        words.extend(more);
        let mut terminal = self.environment.proctor_on_terminal(words);
        terminal.expect(PROMPT);
        terminal.send_line("APPROVE");
        terminal
    }
}

#[test]
fn what_is_approved_is_signed_and_can_be_verified() {
    let wall = Wall::new();
    let base = wall.id("HEAD");
    wall.repository.write("README.md", "one\n");
    let mut terminal = wall.review(&["--all", "-m", "Something"]);
    assert_eq!(terminal.wait(), 0);
    let message = wall.repository.git(["log", "-1", "--format=%B"]);
    insta::assert_snapshot!(wall.environment.normalise(&message), @r"
    Something

    Approved-By: Ada Tester <ada@example.com>
    Proctor-Evidence: sha256:[ID]
    Proctor-Approval: sha256:[ID]
    ");
    assert_eq!(wall.approvals(), 1);
    insta::assert_snapshot!(wall.verify(&["--base", &base]).normalised(), @r"
    exit code: 0
    --- stdout
    [ID]  approved by ada@example.com (none)
    --- stderr
    ");
    let reference = wall.approval();
    let statement = wall.repository.file_at(&reference, "statement");
    let document: serde_json::Value = serde_json::from_str(&statement).expect("JSON");
    let predicate = &document["predicate"];
    assert_eq!(predicate["tree"], wall.repository.tree_of("HEAD").as_str());
    assert_eq!(predicate["base"], base.as_str());
    assert_eq!(
        document["subject"][0]["digest"]["gitTree"],
        predicate["tree"]
    );
}

#[test]
fn what_was_signed_before_something_went_wrong_needs_no_second_touch() {
    let mut wall = Wall::new();
    let base = wall.id("HEAD");
    let log = wall.count_signatures();
    wall.repository.write("README.md", "one\n");
    let words = ["review", "--all", "-m", "Something"];
    let mut command = wall.environment.proctor_command(words);
    command.env("PROCTOR_PANIC_AT", "signed");
    let mut terminal = Terminal::spawn(&command);
    terminal.expect(PROMPT);
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 70);
    assert_eq!((wall.id("HEAD"), signatures(&log)), (base.clone(), 1));
    // The word is asked for again, the touch is not.
    let mut terminal = wall.review(&words[1..]);
    assert_eq!(terminal.wait(), 0);
    assert_eq!(signatures(&log), 1);
    assert_eq!(wall.reasons(&["--base", &base]), ["-"]);
    // Another tree is signed again.
    wall.repository.write("README.md", "two\n");
    let mut terminal = wall.review(&words[1..]);
    assert_eq!(terminal.wait(), 0);
    assert_eq!(signatures(&log), 2);
    assert_eq!(wall.reasons(&["--base", &base]), ["-", "-"]);
}

#[test]
fn what_is_not_signed_is_not_approved() {
    let mut wall = Wall::new();
    let head = wall.id("HEAD");
    wall.repository.write("README.md", "one\n");
    let key = wall.key.path.clone();
    let encrypted = wall.environment.root().join("key-locked");
    let mut command = wall.environment.command("ssh-keygen");
    command
        .args(["-q", "-t", "ed25519", "-N", "secret words", "-f"])
        .arg(&encrypted);
    wall.environment.run(command).expect_code(0);
    // A wrong passphrase.
    wall.environment
        .set_variable("PROCTOR_APPROVAL_KEY", &encrypted);
    let mut terminal = wall.review(&["--all", "-m", "Something"]);
    terminal.expect("Enter passphrase");
    terminal.send_line("wrong");
    says(
        &mut terminal,
        3,
        "ssh-keygen did not sign (exit code 255), so nothing is approved",
    );
    assert_eq!((wall.id("HEAD"), wall.approvals()), (head.clone(), 0));
    // A key that is not listed is detected before anything is committed.
    let eve = wall.environment.ssh_key("eve", "ed25519", &[]);
    wall.environment
        .set_variable("PROCTOR_APPROVAL_KEY", &eve.path);
    let mut terminal = wall.review(&["--all", "-m", "Something"]);
    says(
        &mut terminal,
        1,
        "this approval would not count, so nothing is approved: signed as ADDRESS with FINGERPRINT, which is not the key of an approver",
    );
    assert_eq!((wall.id("HEAD"), wall.approvals()), (head.clone(), 0));
    // The honest key.
    wall.environment.set_variable("PROCTOR_APPROVAL_KEY", &key);
    let mut terminal = wall.review(&["--all", "-m", "Something"]);
    assert_eq!(terminal.wait(), 0);
    assert_eq!(wall.approvals(), 1);
}

#[test]
fn who_cannot_sign_is_told_before_the_diff() {
    let mut wall = Wall::new();
    wall.repository.write("README.md", "one\n");
    wall.environment.set_variable("PROCTOR_APPROVAL_KEY", "");
    let at_terminal = |wall: &Wall| {
        let words = ["review", "--all", "-m", "Something"];
        wall.environment.proctor_on_terminal(words)
    };
    let mut terminal = at_terminal(&wall);
    says(
        &mut terminal,
        5,
        "approvals are signed here, and there is no key to sign with",
    );
    wall.environment
        .set_variable("PROCTOR_APPROVAL_KEY", "/no/such/key");
    let mut terminal = at_terminal(&wall);
    says(
        &mut terminal,
        5,
        "the key to sign with, PATH, cannot be read: REASON",
    );
    // Git's own key, where it is an SSH key.
    let key = wall.key.path.display().to_string();
    wall.environment.set_variable("PROCTOR_APPROVAL_KEY", "");
    wall.repository.git(["config", "gpg.format", "ssh"]);
    wall.repository.git(["config", "user.signingKey", &key]);
    let mut terminal = wall.review(&["--all", "-m", "Something"]);
    assert_eq!(terminal.wait(), 0);
    assert_eq!(wall.approvals(), 1);
}

#[test]
fn a_second_person_approves_a_commit_that_is_there() {
    let mut wall = Wall::with(
        &format!("{ANY_KEY}author_may_approve = false\n"),
        "ed25519",
        &[],
    );
    let bob = wall.environment.ssh_key("bob", "ed25519", &[]);
    let both = wall.repository.read(".proctor/allowed_signers") + &line("bob@example.com", &bob);
    wall.repository.write(".proctor/allowed_signers", both);
    let base = wall.repository.commit_all("Bob, too");
    wall.commit("one\n");
    wall.approve("HEAD");
    assert_eq!(wall.reasons(&["--base", &base]), ["by_author"]);
    wall.environment
        .set_variable("PROCTOR_APPROVAL_KEY", &bob.path);
    wall.environment.set_variable("GIT_COMMITTER_NAME", "Bob");
    wall.environment
        .set_variable("GIT_COMMITTER_EMAIL", "bob@example.com");
    let mut terminal = wall.review(&["--commit", "HEAD"]);
    assert_eq!(terminal.wait(), 0);
    assert_eq!(wall.reasons(&["--base", &base]), ["-"]);
    let said = wall.environment.proctor(["review", "--commit", "nowhere"]);
    says(&said, 2, "there is no commit \"REVISION\" to review");
}

#[test]
fn without_an_openssh_that_starts_there_is_no_signature() {
    let mut wall = Wall::new();
    wall.repository.write("README.md", "one\n");
    let path = wall
        .environment
        .put_program("ssh-keygen", "neither a program nor a script");
    let mut terminal = wall.review(&["--all", "-m", "Something"]);
    says(&mut terminal, 5, "cannot start PROGRAM: REASON");
    // A search path with git alone.
    let git = proctor_host::process::find_program(
        "git".as_ref(),
        &std::env::var_os("PATH").expect("a path"),
        "/".as_ref(),
    );
    let alone = path.with_file_name("alone");
    std::fs::create_dir(&alone).expect("our own");
    std::os::unix::fs::symlink(git.expect("git is installed"), alone.join("git")).expect("our own");
    wall.environment.set_variable("PATH", &alone);
    let words = ["review", "--all", "-m", "Something"];
    let mut terminal = wall.environment.proctor_on_terminal(words);
    says(
        &mut terminal,
        5,
        "approvals are signed with ssh-keygen, which is not on the search path",
    );
}

#[test]
fn the_doctor_says_whether_you_could_sign() {
    let mut wall = Wall::new();
    let finding = |wall: &Wall| {
        let document = wall
            .environment
            .proctor(["--format", "json", "doctor"])
            .json();
        let checks = document["checks"].as_array().expect("checks");
        let found = checks.iter().find(|check| check["id"] == "approval");
        found.map(|check| check["status"].as_str().expect("a word").to_owned())
    };
    assert_eq!(finding(&wall).as_deref(), Some("ok"));
    wall.environment
        .set_variable("PROCTOR_APPROVAL_KEY", "/no/such/key");
    assert_eq!(finding(&wall).as_deref(), Some("error"));
    wall.repository.write("proctor.toml", "");
    wall.repository.commit_all("Without signing");
    assert_eq!(finding(&wall), None);
}

#[test]
fn a_passphrase_is_typed_where_it_is_asked_for() {
    let mut wall = Wall::new();
    let locked = wall.environment.root().join("key-ada");
    let mut command = wall.environment.command("ssh-keygen");
    command.args(["-q", "-p", "-N", "secret words", "-f"]);
    command.arg(&locked);
    wall.environment.run(command).expect_code(0);
    wall.environment
        .set_variable("PROCTOR_APPROVAL_KEY", &locked);
    wall.repository.write("README.md", "one\n");
    let mut terminal = wall.review(&["--all", "-m", "Something"]);
    terminal.expect("Enter passphrase");
    terminal.send_line("secret words");
    assert_eq!(terminal.wait(), 0);
    assert_eq!(wall.reasons(&["--base", "HEAD^"]), ["-"]);
}

#[test]
fn a_key_that_only_an_agent_has_signs_by_its_public_half() {
    let mut wall = Wall::new();
    let key = wall.key.path.display().to_string();
    wall.environment
        .set_variable("PROCTOR_APPROVAL_KEY", format!("{key}.pub"));
    wall.repository.write("README.md", "one\n");
    let proctor = env!("CARGO_BIN_EXE_proctor");
    let script =
        format!("ssh-add -q '{key}' && rm '{key}' && exec '{proctor}' review --all -m Something");
    // The agent ends with the command that it is started for.
    let mut command = wall.environment.command("ssh-agent");
    command.args(["sh", "-c", &script]);
    let mut terminal = Terminal::spawn(&command);
    terminal.expect(PROMPT);
    terminal.send_line("APPROVE");
    assert_eq!(terminal.wait(), 0);
    assert_eq!(wall.reasons(&["--base", "HEAD^"]), ["-"]);
}
