//! Approvals that the real `ssh-keygen` signed, judged.

use proctor_core::approval::ssh::{Signature, armoured};
use proctor_core::approval::{
    Accepted, Author, Demand, Evidence, NAMESPACE, Reason, Revoked, Setting, SignedApproval,
    Signers, Statement, Stored, UserPresence, evaluate,
};
use proctor_core::object_id::{CommitId, TreeId};
use proctor_host::approval::holds;
use proctor_testkit::{Passkey, SshKey, TestEnvironment, hardware_key_stand_in, say_skipped};

/// 16 November 2026.
const AT: i64 = 1_794_843_000;

fn tree(letter: &str) -> TreeId {
    TreeId::parse(&letter.repeat(40)).expect("forty digits")
}

fn commit(letter: &str) -> CommitId {
    CommitId::parse(&letter.repeat(40)).expect("forty digits")
}

fn evidence() -> Evidence {
    Evidence {
        base: Some(commit("b")),
        tree: tree("a"),
        red: None,
        green: None,
        lint: None,
    }
}

fn statement() -> Statement {
    Statement {
        tree: tree("a"),
        base: Some(commit("b")),
        branch: "main".to_owned(),
        run: None,
        evidence: evidence().digest(),
        trail: None,
        trail_start: None,
        by: "Alice <alice@example.org>".to_owned(),
        at: AT,
        proctor: "0.2.0".to_owned(),
    }
}

/// An approval and its rules, of which a test changes one thing.
struct Case {
    environment: TestEnvironment,
    key: SshKey,
    signers: String,
    revoked: Option<Vec<u8>>,
    namespace: &'static str,
    statement: Statement,
    demand: Demand,
    now: i64,
    must_be_valid_now: bool,
}

impl Case {
    /// Alice's key counts.
    fn with_key(environment: TestEnvironment, kind: &str, options: &[&str]) -> Self {
        let key = environment.ssh_key("alice", kind, options);
        Self {
            signers: format!(
                "alice@example.org namespaces=\"{NAMESPACE}\" {}\n",
                key.public()
            ),
            key,
            environment,
            revoked: None,
            namespace: NAMESPACE,
            statement: statement(),
            demand: Demand {
                presence: UserPresence::None,
                ..Demand::default()
            },
            now: AT + 3600,
            must_be_valid_now: false,
        }
    }

    fn plain() -> Self {
        Self::with_key(TestEnvironment::without_binary(), "ed25519", &[])
    }

    fn signed(&self) -> Stored {
        let text = self.statement.to_text();
        let signature = self.environment.ssh_sign(&self.key, self.namespace, &text);
        Stored::of(&SignedApproval {
            statement: text,
            signature,
            evidence: evidence().to_text(),
        })
    }

    fn judged(&self, stored: &Stored) -> Result<Accepted, Reason> {
        let signers = Signers::parse(&self.signers);
        let revoked: Option<Revoked> = self
            .revoked
            .as_ref()
            .map(|bytes| Revoked::parse(bytes).expect("a list that ssh-keygen knows"));
        let revoked: Vec<&Revoked> = revoked.iter().collect();
        let (tree, base) = (tree("a"), commit("b"));
        let setting = Setting {
            tree: &tree,
            base: Some(&base),
            author: Author {
                author: "model@example.org",
                committer: "alice@example.org",
            },
            signers: Some(&signers),
            revoked: &revoked,
            demand: &self.demand,
            not_before: AT - 100,
            now: self.now,
            must_be_valid_now: self.must_be_valid_now,
        };
        evaluate(stored, &setting, &holds).map(|(accepted, _)| accepted)
    }

    fn outcome(&self) -> Result<UserPresence, &'static str> {
        let judged = self.judged(&self.signed());
        judged
            .map(|accepted| accepted.presence)
            .map_err(|reason| reason.key())
    }
}

#[test]
fn signatures_of_every_kind_of_key_in_a_file_count() {
    for (kind, options) in [
        ("ed25519", &[][..]),
        ("ecdsa", &["-b", "256"]),
        ("ecdsa", &["-b", "384"]),
        ("rsa", &["-b", "2048"]),
    ] {
        let case = Case::with_key(TestEnvironment::without_binary(), kind, options);
        assert_eq!(case.outcome(), Ok(UserPresence::None), "{kind} {options:?}");
    }
}

#[test]
fn an_unsupported_key_has_no_owner() {
    let case = Case::with_key(TestEnvironment::without_binary(), "ecdsa", &["-b", "521"]);
    assert_eq!(case.outcome(), Err("signature_unreadable"));
}

#[test]
fn changed_bytes_do_not_count() {
    let case = Case::plain();
    let good = case.signed();
    assert!(case.judged(&good).is_ok());
    let reason = |stored: &Stored| case.judged(stored).map_err(|reason| reason.key());
    let statement = good.statement.clone().expect("it is there");
    let changed = |statement: Vec<u8>| Stored {
        statement: Some(statement),
        ..good.clone()
    };
    let mut longer = statement.clone();
    longer.push(b'\n');
    assert_eq!(reason(&changed(longer)), Err("bad_signature"));
    let windows = String::from_utf8_lossy(&statement).replace('\n', "\r\n");
    assert_eq!(reason(&changed(windows.into())), Err("bad_signature"));
    for (stored, wanted) in [
        (
            Stored {
                statement: None,
                ..good.clone()
            },
            "approval_incomplete",
        ),
        (
            Stored {
                signature: None,
                ..good.clone()
            },
            "approval_incomplete",
        ),
        (
            Stored {
                signature: Some(b"junk".to_vec()),
                ..good.clone()
            },
            "signature_unreadable",
        ),
        (
            Stored {
                name: "0123456789abcdef".to_owned(),
                ..good.clone()
            },
            "misplaced",
        ),
        (
            Stored {
                evidence: None,
                ..good.clone()
            },
            "evidence_missing",
        ),
        (
            Stored {
                evidence: Some(b"{}".to_vec()),
                ..good.clone()
            },
            "evidence_changed",
        ),
    ] {
        assert_eq!(reason(&stored), Err(wanted));
    }
}

#[test]
fn a_statement_about_something_else_does_not_count() {
    let with = |change: fn(&mut Case)| {
        let mut case = Case::plain();
        change(&mut case);
        case.outcome()
    };
    assert_eq!(
        with(|case| case.statement.tree = tree("c")),
        Err("other_tree")
    );
    assert_eq!(
        with(|case| case.statement.base = Some(commit("c"))),
        Err("other_base")
    );
    assert_eq!(with(|case| case.statement.base = None), Err("other_base"));
    assert_eq!(
        with(|case| case.statement.by = "Alice".to_owned()),
        Err("no_principal")
    );
    assert_eq!(
        with(|case| case.statement.by = "Bob <bob@example.org>".to_owned()),
        Err("other_person")
    );
    assert_eq!(with(|case| case.namespace = "git"), Err("other_namespace"));
    assert_eq!(
        with(|case| case.statement.evidence = "0".repeat(64)),
        Err("evidence_changed")
    );
    assert_eq!(
        with(|case| case.demand.author_may_approve = false),
        Err("by_author")
    );
    assert_eq!(
        with(|case| case.demand.presence = UserPresence::Touch),
        Err("not_in_hardware")
    );
}

#[test]
fn signers_count_as_openssh_has_them_but_for_patterns() {
    let mut case = Case::plain();
    let stored = case.signed();
    let key = case.key.public();
    let other = case.environment.ssh_key("other", "ed25519", &[]).public();
    let table: [(String, Result<(), &str>); 13] = [
        (format!("alice@example.org {key}"), Ok(())),
        (format!("bob@example.org,alice@example.org {key}"), Ok(())),
        (
            format!("bob@example.org {key}\nalice@example.org {key}"),
            Ok(()),
        ),
        (format!("alice@example.org {other}"), Err("stranger")),
        (String::new(), Err("stranger")),
        (format!("*@example.org {key}"), Err("wildcard_principal")),
        (format!("* {key}\nalice@example.org {key}"), Ok(())),
        (
            format!("alice@example.org cert-authority {key}"),
            Err("stranger"),
        ),
        (
            format!("alice@example.org verify-required {key}"),
            Err("stranger"),
        ),
        (
            format!("alice@example.org namespaces=\"git\" {key}"),
            Err("signer_namespaces"),
        ),
        (
            format!("alice@example.org valid-before=\"20261101\" {key}"),
            Err("expired"),
        ),
        (
            format!("alice@example.org valid-after=\"20261201\" {key}"),
            Err("not_yet_valid"),
        ),
        (
            format!("alice@example.org valid-after=\"20261101\",valid-before=\"20261201\" {key}"),
            Ok(()),
        ),
    ];
    for (signers, wanted) in table {
        case.signers.clone_from(&signers);
        let judged = case
            .judged(&stored)
            .map(drop)
            .map_err(|reason| reason.key());
        assert_eq!(judged, wanted, "{signers}");
    }
}

#[test]
fn a_key_that_expired_since_counts_for_what_it_signed_then_but_not_on_a_server_now() {
    let mut case = Case::plain();
    case.signers = format!(
        "alice@example.org valid-before=\"20261201\" {}",
        case.key.public()
    );
    case.now = AT + 400 * 86_400;
    assert_eq!(case.outcome(), Ok(UserPresence::None));
    case.must_be_valid_now = true;
    assert_eq!(case.outcome(), Err("expired"));
    // A person who signs too late gains nothing from another date: the base did not exist then.
    case.must_be_valid_now = false;
    case.signers = format!(
        "alice@example.org valid-before=\"20261101\" {}",
        case.key.public()
    );
    case.statement.at = AT - 60 * 86_400;
    assert_eq!(case.outcome(), Err("expired"));
}

#[test]
fn revoked_keys_do_not_count() {
    let mut case = Case::plain();
    let stored = case.signed();
    let other = case.environment.ssh_key("other", "ed25519", &[]);
    let list = |case: &Case, spec: &str| {
        let path = case.environment.root().join("krl");
        let mut command = case.environment.command("ssh-keygen");
        let file = case.environment.write("spec", spec);
        command.args(["-q", "-k", "-f"]).args([&path, &file]);
        case.environment.run(command).expect_code(0);
        std::fs::read(path).expect("ssh-keygen has written it")
    };
    let (key, other) = (case.key.public(), other.public());
    let by_hash = list(&case, &format!("sha256: {key}\n"));
    let by_key = list(&case, &format!("key: {key}\n"));
    let by_old_hash = list(&case, &format!("sha1: {key}\n"));
    let another = list(
        &case,
        &format!("key: {other}\nsha256: {other}\nsha1: {other}\n"),
    );
    for (revoked, wanted) in [
        (key.clone().into_bytes(), Err("revoked")),
        (other.clone().into_bytes(), Ok(())),
        (by_hash, Err("revoked")),
        (by_key, Err("revoked")),
        (by_old_hash, Err("revoked")),
        (another, Ok(())),
    ] {
        case.revoked = Some(revoked);
        let judged = case
            .judged(&stored)
            .map(drop)
            .map_err(|reason| reason.key());
        assert_eq!(judged, wanted);
    }
}

/// Has the authority certify Alice's key, which from then on needs no line of its own.
fn certify(case: &Case, authority: &SshKey, principals: &str, options: &[&str]) {
    let mut command = case.environment.command("ssh-keygen");
    command
        .args(["-q", "-s"])
        .arg(&authority.path)
        .args(["-I", "id of alice", "-n", principals, "-z", "7"])
        .args(options)
        .arg(case.key.path.with_extension("pub"));
    case.environment.run(command).expect_code(0);
}

/// As `ssh-keygen -Y sign` does with a certificate in the place of the public key.
fn sign_with_certificate(case: &Case) -> Stored {
    let certificate = SshKey {
        path: case.environment.root().join("key-alice-cert.pub"),
    };
    let text = case.statement.to_text();
    let signature = case.environment.ssh_sign(&certificate, NAMESPACE, &text);
    Stored::of(&SignedApproval {
        statement: text,
        signature,
        evidence: evidence().to_text(),
    })
}

#[test]
fn a_certificate_counts_for_its_principal_while_it_is_valid() {
    let mut case = Case::plain();
    let authority = case.environment.ssh_key("authority", "ed25519", &[]);
    let line = format!(
        "*@example.org cert-authority,namespaces=\"{NAMESPACE}\" {}",
        authority.public()
    );
    let window = ["-V", "20261101:20261201"];
    let judged = |case: &Case| {
        let stored = sign_with_certificate(case);
        case.judged(&stored)
            .map(drop)
            .map_err(|reason| reason.key())
    };
    case.signers.clone_from(&line);
    certify(&case, &authority, "alice@example.org", &window);
    assert_eq!(judged(&case), Ok(()));
    case.signers = line.replace("*@example.org", "*@example.com");
    assert_eq!(judged(&case), Err("other_person"));
    case.signers = line.replace("cert-authority,", "");
    assert_eq!(judged(&case), Err("stranger"));
    case.signers.clone_from(&line);
    let mut gone = case.environment.command("ssh-keygen");
    let spec = case.environment.write("spec", "serial: 7\n");
    let krl = case.environment.root().join("krl");
    gone.args(["-q", "-k", "-s"])
        .arg(authority.path.with_extension("pub"))
        .arg("-f")
        .args([&krl, &spec]);
    case.environment.run(gone).expect_code(0);
    case.revoked = Some(std::fs::read(krl).expect("ssh-keygen has written it"));
    assert_eq!(judged(&case), Err("revoked"));
    case.revoked = Some(authority.public().into_bytes());
    assert_eq!(judged(&case), Err("revoked"), "with its authority");
    case.revoked = None;
    for (principals, options, wanted) in [
        ("bob@example.org", &window[..], "other_person"),
        ("alice@example.org", &["-V", "20260101:20261101"], "expired"),
        (
            "alice@example.org",
            &["-V", "20261201:20270101"],
            "not_yet_valid",
        ),
        (
            "alice@example.org",
            &["-h", "-V", "20261101:20261201"],
            "certificate",
        ),
        (
            "alice@example.org",
            &["-O", "force-command=x", "-V", "20261101:20261201"],
            "certificate",
        ),
    ] {
        certify(&case, &authority, principals, options);
        assert_eq!(judged(&case), Err(wanted), "{principals} {options:?}");
    }
    let other = case.environment.ssh_key("eve", "ed25519", &[]);
    certify(&case, &other, "alice@example.org", &window);
    assert_eq!(judged(&case), Err("stranger"), "another authority");
}

#[test]
fn a_hardware_key_shows_a_touch_only_if_it_was_touched() {
    let library = match hardware_key_stand_in() {
        Ok(library) => library,
        Err(reason) => return say_skipped("hardware keys", &reason),
    };
    for kind in ["ed25519-sk", "ecdsa-sk"] {
        for (options, shown) in [
            (&[][..], UserPresence::Touch),
            (&["-O", "verify-required"], UserPresence::Verified),
            (&["-O", "no-touch-required"], UserPresence::None),
        ] {
            let mut environment = TestEnvironment::without_binary();
            environment.use_hardware_key_stand_in(library);
            let mut case = Case::with_key(environment, kind, options);
            assert_eq!(case.outcome(), Ok(shown), "{kind} {options:?}");
            case.demand.presence = UserPresence::Touch;
            let touched = if shown >= UserPresence::Touch {
                Ok(shown)
            } else {
                Err("not_touched")
            };
            assert_eq!(case.outcome(), touched, "{kind} {options:?}");
            case.demand.presence = UserPresence::Verified;
            let verified = match shown {
                UserPresence::Verified => Ok(shown),
                UserPresence::Touch => Err("not_verified"),
                UserPresence::None => Err("not_touched"),
            };
            assert_eq!(case.outcome(), verified, "{kind} {options:?}");
        }
    }
}

#[test]
fn a_passkey_s_assertion_counts_for_its_own_challenge() {
    let key = Passkey::new();
    let mut case = Case::plain();
    case.signers = format!("alice@example.org {}", key.public());
    case.demand.presence = UserPresence::Touch;
    let text = case.statement.to_text();
    let judged = |case: &Case, blob: &[u8]| {
        let signature = armoured(blob);
        assert!(Signature::parse(signature.as_bytes()).is_ok());
        let stored = Stored::of(&SignedApproval {
            statement: text.clone(),
            signature,
            evidence: evidence().to_text(),
        });
        let judged = case.judged(&stored);
        judged
            .map(|accepted| accepted.presence)
            .map_err(|reason| reason.key())
    };
    let sign = |flags: u8| key.sign(NAMESPACE, &text, flags, |challenge| challenge);
    assert_eq!(judged(&case, &sign(0x05)), Ok(UserPresence::Verified));
    assert_eq!(judged(&case, &sign(0x01)), Ok(UserPresence::Touch));
    assert_eq!(judged(&case, &sign(0x00)), Err("not_touched"));
    let other = key.sign(NAMESPACE, "something else", 0x05, |challenge| challenge);
    assert_eq!(judged(&case, &other), Err("signature_unreadable"));
    let longer = key.sign(NAMESPACE, &text, 0x05, |challenge| format!("{challenge}AA"));
    assert_eq!(judged(&case, &longer), Err("signature_unreadable"));
}
