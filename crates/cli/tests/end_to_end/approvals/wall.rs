//! A repository in which approvals count, and a server behind it.

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use proctor_core::approval::{Evidence, NAMESPACE, SignedApproval, Statement, Stored};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_testkit::{Repository, RunOutput, SshKey, TestEnvironment};

use crate::desk::Desk;

/// Any key counts, so that most tests need no stand-in for hardware.
pub(super) const ANY_KEY: &str = "[approval]\nsign = \"ssh\"\npresence = \"none\"\n";

/// A clone whose first commit names Ada as the approver, and its keys.
pub(super) struct Wall {
    pub(super) environment: TestEnvironment,
    pub(super) repository: Repository,
    /// The key of Ada, who is listed.
    pub(super) key: SshKey,
}

impl Wall {
    pub(super) fn new() -> Self {
        Self::with(ANY_KEY, "ed25519", &[])
    }

    pub(super) fn with(settings: &str, kind: &str, options: &[&str]) -> Self {
        Self::in_desk(Desk::empty(), settings, kind, options)
    }

    pub(super) fn in_desk(desk: Desk, settings: &str, kind: &str, options: &[&str]) -> Self {
        let Desk {
            mut environment,
            repository,
        } = desk;
        let key = environment.ssh_key("ada", kind, options);
        environment.set_variable("PROCTOR_APPROVAL_KEY", &key.path);
        repository.write("proctor.toml", settings);
        repository.write(".proctor/allowed_signers", line("ada@example.com", &key));
        repository.commit_all("Who approves");
        Self {
            environment,
            repository,
            key,
        }
    }

    /// Has every call of `ssh-keygen` counted from now on; the file with a line for each.
    pub(super) fn count_signatures(&mut self) -> PathBuf {
        let mut find = self.environment.command("sh");
        find.args(["-c", "command -v ssh-keygen"]);
        let real = self.environment.run(find).expect_code(0).stdout.clone();
        let log = self.environment.root().join("signed");
        let (real, path) = (real.trim(), log.display());
        let script = format!("#!/bin/sh\necho x >> '{path}'\nexec '{real}' \"$@\"\n");
        self.environment.put_program("ssh-keygen", &script);
        log
    }

    /// A commit without an approval.
    pub(super) fn commit(&self, content: &str) -> String {
        self.repository.write("README.md", content);
        self.repository.commit_all("Something")
    }

    pub(super) fn verify(&self, more: &[&str]) -> RunOutput {
        let mut words = vec!["verify"];
        words.extend(more);
        self.environment.proctor(words)
    }

    /// Why each commit of a range is not approved, in one word; `-` for those that are.
    pub(super) fn reasons(&self, more: &[&str]) -> Vec<String> {
        let mut words = vec!["--format", "json", "verify"];
        words.extend(more);
        let document = self.environment.proctor(words).json();
        let commits = document["commits"].as_array().expect("commits");
        let words = commits.iter().map(|commit| {
            assert_eq!(
                commit["approved"].as_bool(),
                Some(commit["reason"].is_null())
            );
            commit["reason"].as_str().unwrap_or("-").to_owned()
        });
        words.collect()
    }

    /// How many approvals there are.
    pub(super) fn approvals(&self) -> usize {
        self.approval().lines().count()
    }

    /// The ref of each approval.
    pub(super) fn approval(&self) -> String {
        let words = [
            "for-each-ref",
            "--format=%(refname)",
            "refs/proctor/approvals/",
        ];
        self.repository.git(words)
    }

    pub(super) fn id(&self, revision: &str) -> String {
        self.repository.git(["rev-parse", "--verify", revision])
    }

    /// The statement that would approve a commit, unsigned.
    pub(super) fn statement(&self, revision: &str) -> (Statement, Evidence) {
        let tree = TreeId::parse(&self.repository.tree_of(revision)).expect("a tree");
        let base = self.id(&format!("{revision}^1"));
        let base = Some(CommitId::parse(&base).expect("a commit"));
        statement_of(tree, base, 1_767_323_045)
    }

    /// Signs a statement and keeps it as the approval of a commit's tree; the ref.
    pub(super) fn sign(
        &self,
        revision: &str,
        key: &SshKey,
        change: impl Fn(&mut Statement),
    ) -> String {
        let (mut statement, evidence) = self.statement(revision);
        change(&mut statement);
        let text = statement.to_text();
        let signature = self.environment.ssh_sign(key, NAMESPACE, &text);
        let signed = SignedApproval {
            statement: text,
            signature,
            evidence: evidence.to_text(),
        };
        let tree = self.repository.tree_of(revision);
        let reference = format!("refs/proctor/approvals/{tree}/{}", Stored::of(&signed).name);
        self.keep(&reference, &signed);
        reference
    }

    pub(super) fn keep(&self, reference: &str, signed: &SignedApproval) {
        let mut lines = String::new();
        for (name, content) in [
            ("evidence.json", &signed.evidence),
            ("signature", &signed.signature),
            ("statement", &signed.statement),
        ] {
            let file = self.environment.write(format!("kept-{name}"), content);
            let file = file.to_str().expect("a plain path");
            let blob = self
                .repository
                .git(["hash-object", "-w", "--no-filters", file]);
            let _ = writeln!(lines, "100644 blob {blob}\t{name}");
        }
        let file = self.environment.write("kept-tree", lines);
        let mut command = self.repository.git_command(["mktree"]);
        command.stdin(std::fs::File::open(file).expect("just written"));
        let output = self.environment.run(command);
        let tree = output.expect_code(0).stdout.trim();
        self.repository.git(["update-ref", reference, tree]);
    }

    /// Approves a commit as Ada does.
    pub(super) fn approve(&self, revision: &str) -> String {
        self.sign(revision, &self.key, |_| {})
    }

    /// A server with the current history, and the hook.
    pub(super) fn server(&self) -> Server<'_> {
        let path = self.environment.root().join("server.git");
        let server = path.to_str().expect("a plain path").to_owned();
        self.repository
            .git(["clone", "--quiet", "--bare", ".", &server]);
        self.repository.git(["remote", "add", "origin", &server]);
        let proctor = env!("CARGO_BIN_EXE_proctor");
        let hook = format!("#!/bin/sh\nexec '{proctor}' verify --hook pre-receive\n");
        let hook = self.environment.write("server.git/hooks/pre-receive", hook);
        std::fs::set_permissions(hook, std::fs::Permissions::from_mode(0o755)).expect("our own");
        Server { wall: self, path }
    }
}

/// A bare repository with the hook.
pub(super) struct Server<'a> {
    wall: &'a Wall,
    pub(super) path: PathBuf,
}

impl Server<'_> {
    fn command(&self, words: &[&str]) -> Command {
        self.wall.repository.git_command(words)
    }

    /// Pushes, with its output.
    pub(super) fn push(&self, words: &[&str]) -> RunOutput {
        let mut all = vec!["push", "--quiet", "--atomic", "origin"];
        all.extend(words);
        self.wall.environment.run(self.command(&all))
    }

    /// The server's message about a push that it declines; nothing of it arrived.
    #[track_caller]
    pub(super) fn declined(&self, words: &[&str]) -> String {
        let before = self.refs();
        let output = self.push(words);
        assert_ne!(output.code, 0, "accepted: {words:?}\n{}", output.stderr);
        assert_eq!(self.refs(), before, "nothing arrived");
        let said = output.normalised_stderr();
        let lines = said
            .lines()
            .filter_map(|line| line.strip_prefix("remote: "));
        lines.map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    fn refs(&self) -> String {
        let server = self.path.to_str().expect("a plain path");
        self.wall.repository.git(["ls-remote", server])
    }
}

/// The statement that would approve a tree on a base, unsigned.
pub(super) fn statement_of(tree: TreeId, base: Option<CommitId>, at: i64) -> (Statement, Evidence) {
    let evidence = Evidence {
        base: base.clone(),
        tree: tree.clone(),
        red: None,
        green: None,
        lint: None,
    };
    let statement = Statement {
        tree,
        base,
        branch: "main".to_owned(),
        run: None,
        evidence: evidence.digest(),
        trail: None,
        trail_start: None,
        by: "Ada Tester <ada@example.com>".to_owned(),
        at,
        proctor: "0.2.0".to_owned(),
    };
    (statement, evidence)
}

/// The number of signatures made.
pub(super) fn signatures(log: &std::path::Path) -> usize {
    std::fs::read_to_string(log).map_or(0, |text| text.lines().count())
}

/// A line of `allowed_signers`.
pub(super) fn line(address: &str, key: &SshKey) -> String {
    line_of(address, &key.public())
}

/// The same for a key in OpenSSH's form.
pub(super) fn line_of(address: &str, key: &str) -> String {
    format!("{address} namespaces=\"{NAMESPACE}\" {key}\n")
}
