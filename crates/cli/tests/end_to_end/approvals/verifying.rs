//! `proctor verify` and `proctor keys`.

use proctor_core::approval::Statement;

use super::wall::{ANY_KEY, Wall, line};
use crate::desk::Desk;
use crate::messages::says;

#[test]
fn every_commit_is_named_with_who_approved_it_or_why_it_is_not() {
    let wall = Wall::new();
    let base = wall.id("HEAD");
    wall.commit("one\n");
    wall.approve("HEAD");
    wall.commit("two\n");
    let said = wall.verify(&["--base", &base]);
    says(
        &said,
        1,
        "1 of 2 commits not approved\nCOMMIT: no one approved this tree (no_approval)",
    );
    insta::assert_snapshot!(said.normalised());
    wall.approve("HEAD");
    insta::assert_snapshot!(wall.verify(&["--base", &base]).normalised(), @r"
    exit code: 0
    --- stdout
    [ID]  approved by ada@example.com (none)
    [ID]  approved by ada@example.com (none)
    --- stderr
    ");
    let all = format!("{base}..HEAD");
    let document = wall
        .environment
        .proctor(["--format", "json", "verify", &all]);
    insta::assert_snapshot!(document.expect_code(0).normalised_stdout());
    assert_eq!(wall.reasons(&["HEAD..HEAD"]), [""; 0]);
}

#[test]
fn what_is_missing_in_a_clone_is_said_and_not_taken_for_no_approval() {
    let wall = Wall::new();
    let base = wall.id("HEAD");
    wall.commit("one\n");
    let said = wall.verify(&["--base", &base]);
    says(&said, 5, "this clone has no approvals at all");
    wall.approve("HEAD");
    wall.commit("two\n");
    wall.approve("HEAD");
    wall.verify(&["--base", &base]).expect_code(0);
    let origin = format!("file://{}", wall.repository.path().display());
    wall.repository
        .git(["clone", "--quiet", "--depth", "1", &origin, "../shallow"]);
    let shallow = wall.environment.root().join("shallow");
    let shallow = shallow.to_str().expect("a plain path");
    let refs = "refs/proctor/*:refs/proctor/*";
    let at = |words: &[&str]| {
        let mut all = vec!["-C", shallow, "verify"];
        all.extend(words);
        wall.environment.proctor(all)
    };
    let said = at(&["--base", &base]);
    says(
        &said,
        5,
        "this clone is shallow, and its history ends before it reaches the base",
    );
    wall.repository.git([
        "-C", shallow, "fetch", "--quiet", "--depth", "2", "origin", refs,
    ]);
    let said = at(&["--base", &base]);
    says(
        &said,
        5,
        "this clone is shallow, and its history ends before it reaches the base",
    );
    wall.repository.git([
        "-C",
        shallow,
        "fetch",
        "--quiet",
        "--unshallow",
        "origin",
        refs,
    ]);
    at(&["--base", &base]).expect_code(0);
}

#[test]
fn what_cannot_be_verified_is_told_apart() {
    let wall = Wall::new();
    wall.commit("one\n");
    wall.approve("HEAD");
    let said = wall.verify(&["--base", "nowhere"]);
    says(&said, 2, "there is no commit \"REVISION\" to verify");
    let said = wall.verify(&[]);
    says(&said, 2, "the first commit to verify is unknown");
    let said = wall.verify(&["HEAD..HEAD^"]);
    says(
        &said,
        1,
        "the first parents of TIP do not lead to BASE, so it is unknown who may approve it",
    );
    let said = wall.verify(&["HEAD^..HEAD", "--signers", "/no/such/file"]);
    says(&said, 2, "PATH cannot be used: REASON");
    let junk = wall.environment.write("junk", "no key\n");
    let junk = junk.to_str().expect("a plain path");
    let said = wall.verify(&["HEAD^..HEAD", "--revoked", junk]);
    says(&said, 2, "PATH cannot be used: REASON");
    let mut hook = wall
        .environment
        .proctor_command(["verify", "--hook", "pre-receive"]);
    let input = wall.environment.write("input", "junk\n");
    hook.stdin(std::fs::File::open(input).expect("just written"));
    let said = wall.environment.run(hook);
    says(
        &said,
        2,
        "standard input is not what git gives to a pre-receive hook: \"LINE\"",
    );
}

#[test]
fn signers_policy_and_revocations_are_those_of_the_first_parent() {
    let wall = Wall::new();
    let base = wall.id("HEAD");
    let eve = wall.environment.ssh_key("eve", "ed25519", &[]);
    let by_eve = |it: &mut Statement| it.by = "Eve <eve@example.com>".to_owned();
    // Ada revokes herself: that commit still counts, the next does not.
    wall.repository
        .write(".proctor/revoked_signers", wall.key.public() + "\n");
    wall.repository.commit_all("No Ada");
    wall.approve("HEAD");
    wall.commit("after\n");
    wall.approve("HEAD");
    assert_eq!(wall.reasons(&["--base", &base]), ["-", "revoked"]);
    let revoked = wall.environment.write("revoked", wall.key.public() + "\n");
    let revoked = revoked.to_str().expect("a plain path").to_owned();
    let given = ["--base", &base, "--revoked", &revoked];
    assert_eq!(wall.reasons(&given), ["revoked", "revoked"]);
    // Signers named by the verifier count whatever the repository says.
    let signers = wall
        .environment
        .write("signers", line("eve@example.com", &eve));
    let signers = signers.to_str().expect("a plain path").to_owned();
    wall.sign("HEAD", &eve, by_eve);
    let given = ["--base", "HEAD^", "--signers", &signers];
    assert_eq!(wall.reasons(&given), ["-"]);
    // A list that cannot be read lets no one through.
    wall.repository
        .write(".proctor/revoked_signers", "who knows\n");
    wall.repository.commit_all("Broken list");
    wall.commit("then\n");
    wall.approve("HEAD");
    assert_eq!(
        wall.reasons(&["--base", "HEAD^"]),
        ["revocations_unreadable"]
    );
    wall.repository.write("proctor.toml", "[approval\n");
    wall.repository.write(".proctor/revoked_signers", "");
    wall.repository.commit_all("Broken settings");
    wall.commit("at last\n");
    wall.approve("HEAD");
    assert_eq!(wall.reasons(&["--base", "HEAD^"]), ["settings_unreadable"]);
}

#[test]
fn two_people_approve_where_two_are_asked_for() {
    let wall = Wall::with(&format!("{ANY_KEY}approvers = 2\n"), "ed25519", &[]);
    let bob = wall.environment.ssh_key("bob", "ed25519", &[]);
    let both = wall.repository.read(".proctor/allowed_signers") + &line("bob@example.com", &bob);
    wall.repository.write(".proctor/allowed_signers", both);
    let base = wall.repository.commit_all("Two");
    wall.commit("one\n");
    wall.approve("HEAD");
    wall.sign("HEAD", &wall.key, |it| it.at += 1);
    assert_eq!(wall.reasons(&["--base", &base]), ["too_few"]);
    wall.sign("HEAD", &bob, |it| {
        it.by = "Bob <bob@example.com>".to_owned();
    });
    insta::assert_snapshot!(wall.verify(&["--base", &base]).normalised(), @r"
    exit code: 0
    --- stdout
    [ID]  approved by ada@example.com (none), bob@example.com (none)
    --- stderr
    ");
}

#[test]
fn a_key_without_an_owner_is_not_added() {
    let desk = Desk::new();
    desk.environment
        .write("home/.gitconfig", "[user]\nuseConfigOnly = true\n");
    let key = desk.environment.ssh_key("ada", "ed25519", &[]);
    let file = key.path.display().to_string();
    let said = desk.environment.proctor(["keys", "add", &file]);
    says(&said, 2, "the owner of the key is unknown");
}

#[test]
fn the_first_commit_of_all_needs_signers_from_elsewhere() {
    let wall = Wall::new();
    let root = wall.id("HEAD");
    let hook = |more: &[&str]| {
        let mut words = vec!["--format", "json", "verify", "--hook", "pre-receive"];
        words.extend(more);
        let mut command = wall.environment.proctor_command(words);
        let line = format!("{} {root} refs/heads/main\n", "0".repeat(40));
        let input = wall.environment.write("input", line);
        command.stdin(std::fs::File::open(input).expect("just written"));
        wall.environment.run(command)
    };
    let said = hook(&[]);
    assert_eq!(
        said.expect_code(1).json()["commits"][0]["reason"],
        "no_parent"
    );
    let signers = wall
        .environment
        .write("signers", line("ada@example.com", &wall.key));
    let signers = signers.display().to_string();
    let said = hook(&["--signers", &signers]);
    assert_eq!(
        said.expect_code(1).json()["commits"][0]["reason"],
        "no_approval"
    );
    let (mut command, input) = (
        wall.environment
            .proctor_command(["verify", "--hook", "pre-receive"]),
        format!("{root} {} refs/heads/main\n", "0".repeat(40)),
    );
    let input = wall.environment.write("input", input);
    command.stdin(std::fs::File::open(input).expect("just written"));
    let said = wall.environment.run(command);
    says(&said, 1, "the push is declined\nREFERENCE: REASON");
}

#[test]
fn keys_are_added_listed_and_removed() {
    let wall = Wall::new();
    let bob = wall.environment.ssh_key("bob", "ed25519", &[]);
    let file = bob.path.with_extension("pub");
    let file = file.to_str().expect("a plain path");
    let proctor = |words: &[&str]| wall.environment.proctor(words);
    let added = proctor(&["keys", "add", file, "--as", "bob@example.com"]);
    insta::assert_snapshot!(added.expect_code(0).normalised());
    assert_eq!(
        wall.repository
            .read(".proctor/allowed_signers")
            .lines()
            .count(),
        2
    );
    proctor(&["keys", "add", file, "--as", "bob@example.com"]).expect_code(0);
    proctor(&["keys", "add"]).expect_code(0);
    assert_eq!(
        wall.repository
            .read(".proctor/allowed_signers")
            .lines()
            .count(),
        2,
        "no one is listed twice"
    );
    let listed = proctor(&["keys", "list"]);
    insta::assert_snapshot!(listed.expect_code(0).normalised());
    let removed = proctor(&["keys", "remove", "bob@example.com"]);
    insta::assert_snapshot!(removed.expect_code(0).normalised());
    let said = proctor(&["keys", "remove", "bob@example.com"]);
    says(
        &said,
        2,
        ".proctor/allowed_signers has no line for \"NAME\"",
    );
    let said = proctor(&["keys", "add", file, "--as", "*@example.com"]);
    says(
        &said,
        2,
        "\"ADDRESS\" cannot be an approver: one address without patterns is needed",
    );
    let said = proctor(&["keys", "add", "/no/such/key"]);
    says(
        &said,
        5,
        "the key to sign with, PATH, cannot be read: REASON",
    );
}

#[test]
fn a_repository_with_longer_names_is_verified_the_same() {
    let mut desk = Desk::empty();
    let path = desk.repository.path().to_owned();
    std::fs::remove_dir_all(path.join(".git")).expect("our own");
    desk.repository
        .git(["init", "--quiet", "-b", "main", "--object-format=sha256"]);
    desk.environment.set_variable("UNUSED", "1");
    let wall = Wall::in_desk(desk, ANY_KEY, "ed25519", &[]);
    let base = wall.id("HEAD");
    assert_eq!(base.len(), 64);
    wall.commit("one\n");
    wall.approve("HEAD");
    assert_eq!(wall.reasons(&["--base", &base]), ["-"]);
}
