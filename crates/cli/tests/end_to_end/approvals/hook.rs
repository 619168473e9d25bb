//! A bare repository with the hook: the pushes that it declines, and the honest ones that it accepts.

use proctor_testkit::{hardware_key_stand_in, say_skipped};

use super::wall::{Wall, line};
use crate::desk::Desk;

#[test]
fn a_server_accepts_an_approved_commit_together_with_its_approval() {
    let wall = Wall::new();
    let server = wall.server();
    wall.commit("one\n");
    let said = server.declined(&["main"]);
    insta::assert_snapshot!(said);
    let approval = wall.approve("HEAD");
    server.push(&["main", &approval]).expect_code(0);
    // Another message, the same tree on the same base: the approval is for these.
    wall.commit("two\n");
    let approval = wall.approve("HEAD");
    wall.repository
        .git(["commit", "--quiet", "--amend", "-m", "Other words"]);
    server.push(&["main", &approval]).expect_code(0);
    // A branch that is not guarded is not checked.
    wall.repository.git(["checkout", "--quiet", "-b", "try"]);
    wall.commit("three\n");
    server.push(&["try"]).expect_code(0);
}

#[test]
fn a_stranger_s_approval_and_one_of_another_tree_or_base_are_declined() {
    let wall = Wall::new();
    let server = wall.server();
    let eve = wall.environment.ssh_key("eve", "ed25519", &[]);
    wall.commit("one\n");
    let reference = wall.sign("HEAD", &eve, |_| {});
    insta::assert_snapshot!(server.declined(&["main", &reference]));
    let reference = wall.sign("HEAD", &eve, |it| {
        it.by = "Eve <eve@example.com>".to_owned();
    });
    assert!(
        server
            .declined(&["main", &reference])
            .contains("(stranger)")
    );
    // Ada's own approvals, of something else.
    let before = wall.id("HEAD^");
    let tree = wall.repository.tree_of("HEAD^");
    let reference = wall.sign("HEAD", &wall.key, |it| {
        it.tree = proctor_core::object_id::TreeId::parse(&tree).expect("a tree");
    });
    assert!(
        server
            .declined(&["main", &reference])
            .contains("(other_tree)")
    );
    let first = wall.approve("HEAD");
    wall.repository.git([
        "commit",
        "--quiet",
        "--allow-empty",
        "-m",
        "Between",
        "--amend",
    ]);
    wall.repository.git(["reset", "--quiet", "--hard", &before]);
    wall.commit("between\n");
    let second = wall.approve("HEAD");
    server.push(&["main", &second]).expect_code(0);
    // The same tree as was approved on the commit before.
    wall.commit("one\n");
    assert!(server.declined(&["main", &first]).contains("(other_base)"));
    let third = wall.approve("HEAD");
    server.push(&["main", &first, &third]).expect_code(0);
}

#[test]
fn a_key_that_a_push_adds_does_not_approve_that_push() {
    let wall = Wall::new();
    let server = wall.server();
    let bob = wall.environment.ssh_key("bob", "ed25519", &[]);
    let both = wall.repository.read(".proctor/allowed_signers") + &line("bob@example.com", &bob);
    wall.repository.write(".proctor/allowed_signers", both);
    wall.repository.commit_all("Bob, too");
    let as_bob =
        |it: &mut proctor_core::approval::Statement| it.by = "Bob <bob@example.com>".to_owned();
    let own = wall.sign("HEAD", &bob, as_bob);
    assert!(server.declined(&["main", &own]).contains("(stranger)"));
    // Approved by Ada it counts, and from the next commit on, in the same push.
    let approval = wall.approve("HEAD");
    wall.commit("by bob\n");
    let next = wall.sign("HEAD", &bob, as_bob);
    server.push(&["main", &approval, &next]).expect_code(0);
}

#[test]
fn approvals_are_not_replaced_or_deleted_and_branches_not_set_back() {
    let wall = Wall::new();
    let server = wall.server();
    let start = wall.id("HEAD");
    wall.commit("one\n");
    let approval = wall.approve("HEAD");
    server.push(&["main", &approval]).expect_code(0);
    let other = wall.repository.tree_of("HEAD");
    let forced = format!("+{other}:{approval}");
    insta::assert_snapshot!(server.declined(&[&forced]), @r"
    error: the push is declined
      refs/proctor/approvals/[ID]/[ID]: an approval may not be replaced
    hint: push commits on top of what is there, and approvals under names of their own
    ");
    let gone = format!(":{approval}");
    assert!(server.declined(&[&gone]).contains("may not be deleted"));
    let back = format!("+{start}:refs/heads/main");
    assert!(server.declined(&[&back]).contains("do not lead to"));
    assert!(
        server
            .declined(&[":refs/heads/main"])
            .contains("may not be deleted")
    );
    let misnamed = format!("{other}:refs/proctor/approvals/x");
    assert!(server.declined(&[&misnamed]).contains("TREE/DIGEST"));
}

#[test]
fn a_line_that_comes_from_elsewhere_is_declined_with_any_signers() {
    let wall = Wall::new();
    let server = wall.server();
    let start = wall.id("HEAD");
    let eve = wall.environment.ssh_key("eve", "ed25519", &[]);
    // A commit of a merged branch that once named Eve; only the merge was approved, and it has no Eve.
    wall.repository.git(["checkout", "--quiet", "-b", "topic"]);
    wall.repository
        .write(".proctor/allowed_signers", line("eve@example.com", &eve));
    wall.repository.commit_all("Eve for a while");
    let planted = wall.id("HEAD");
    wall.repository
        .git(["checkout", "--quiet", &start, "--", ".proctor"]);
    wall.commit("topic\n");
    wall.repository.git(["checkout", "--quiet", "main"]);
    wall.repository
        .git(["merge", "--quiet", "--no-ff", "-m", "Merge topic", "topic"]);
    let approval = wall.approve("HEAD");
    server.push(&["main", &approval]).expect_code(0);
    // A merge the other way round, whose first parent is that commit.
    wall.repository
        .git(["checkout", "--quiet", "-b", "evil", &planted]);
    wall.repository.git([
        "merge", "--quiet", "--no-ff", "-s", "ours", "-m", "Evil", "main",
    ]);
    let own = wall.sign("HEAD", &eve, |it| {
        it.by = "Eve <eve@example.com>".to_owned();
    });
    assert!(
        server
            .declined(&["evil:main", &own])
            .contains("do not lead to")
    );
    // An honest merge that holds more than was approved.
    wall.repository.git(["checkout", "--quiet", "main"]);
    wall.repository.git(["checkout", "--quiet", "-b", "more"]);
    wall.commit("more\n");
    wall.repository.git(["checkout", "--quiet", "main"]);
    wall.repository
        .git(["merge", "--quiet", "--no-ff", "--no-commit", "more"]);
    wall.repository.write("extra", "not reviewed\n");
    wall.repository.commit_all("Merge more");
    let of_branch = wall.approve("more");
    assert!(
        server
            .declined(&["main", &of_branch])
            .contains("(no_approval)")
    );
}

#[test]
fn a_hardware_key_without_a_touch_is_declined() {
    let library = match hardware_key_stand_in() {
        Ok(library) => library,
        Err(reason) => return say_skipped("hardware keys", &reason),
    };
    let settings = "[approval]\nsign = \"ssh\"\n";
    for (options, wanted) in [
        (&["-O", "no-touch-required"][..], "(not_touched)"),
        (&[], ""),
    ] {
        let mut desk = Desk::empty();
        desk.environment.use_hardware_key_stand_in(library);
        let wall = Wall::in_desk(desk, settings, "ed25519-sk", options);
        let server = wall.server();
        wall.commit("one\n");
        let approval = wall.approve("HEAD");
        if wanted.is_empty() {
            server.push(&["main", &approval]).expect_code(0);
        } else {
            let said = server.declined(&["main", &approval]);
            assert!(said.contains(wanted), "{said}");
        }
    }
}

#[test]
fn a_key_in_a_file_is_declined_where_a_touch_is_asked_for() {
    let wall = Wall::with("[approval]\nsign = \"ssh\"\n", "ed25519", &[]);
    let server = wall.server();
    // Asking for less does not count for the commit that does so.
    wall.repository.write("proctor.toml", super::wall::ANY_KEY);
    wall.repository.commit_all("Any key");
    let approval = wall.approve("HEAD");
    assert!(
        server
            .declined(&["main", &approval])
            .contains("(not_in_hardware)")
    );
}

#[test]
fn a_server_goes_by_its_own_clock() {
    let wall = Wall::new();
    let text = wall.repository.read(".proctor/allowed_signers");
    let text = text.replace("namespaces=", "valid-before=\"20260601\",namespaces=");
    wall.repository.write(".proctor/allowed_signers", text);
    wall.repository.commit_all("Until June");
    let server = wall.server();
    let base = wall.id("HEAD");
    wall.commit("one\n");
    let approval = wall.approve("HEAD");
    assert!(server.declined(&["main", &approval]).contains("(expired)"));
    // In January, when it was made, the key counted.
    assert_eq!(wall.reasons(&["--base", &base]), ["-"]);
}
