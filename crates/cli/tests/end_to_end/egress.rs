//! Secrets stay here: one that is planted in a context file, in the design document, in a listed file, in the tests'
//! output or in a reply reaches neither a service nor anything that Proctor keeps or prints.

use std::path::Path;

use proctor_testkit::{LoopbackServer, Reply, RunOutput, Script, file_reply};
use serde_json::{Value, json};

use crate::good_run::unlike_a_good_run;
use crate::messages::says;
use crate::project::{DESIGN, POWERS, Project, TESTS, text};

/// Concatenated here, so that no file contains it.
fn key() -> String {
    ["AKIA", "Q3EGRQ7Z2LHT5XWB"].concat()
}

/// Hands its standard input to a service and prints the answer, as command-line agents do.
const CLIENT: &str = "\
import sys, urllib.request
request = urllib.request.Request(sys.argv[1], data=sys.stdin.buffer.read())
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
sys.stdout.buffer.write(opener.open(request).read())
";

/// A service that answers these texts in turn, and the model that asks it.
fn service(project: &Project, answers: &[String]) -> (LoopbackServer, String) {
    let answers: Vec<String> = answers
        .iter()
        .map(|answer| format!("{answer}### END\n"))
        .collect();
    let server = LoopbackServer::start(&answers);
    let client = project.environment.write("client.py", CLIENT);
    let model = format!("command:python3 {} {}", client.display(), server.url());
    (server, model)
}

fn good_answers() -> [String; 2] {
    [
        file_reply("tests/test_power.py", TESTS),
        file_reply("mathkit/power.py", POWERS),
    ]
}

/// Whether any file below a directory holds the key, the bytes of a database included.
fn holds_key(directory: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds_key(&path);
        }
        let content = std::fs::read(&path).unwrap_or_default();
        String::from_utf8_lossy(&content).contains(&key())
    })
}

/// Nothing that was sent, kept or printed holds the key.
fn assert_kept_in(project: &Project, server: &LoopbackServer, output: &RunOutput) {
    for request in server.received() {
        assert!(!request.contains(&key()), "{request}");
    }
    for printed in [&output.stdout, &output.stderr] {
        assert!(!printed.contains(&key()), "{printed}");
    }
    assert!(!holds_key(&project.repository.path().join(".git/proctor")));
    assert!(!holds_key(&project.environment.root().join("recorded")));
}

/// The fingerprint that a message offers.
fn fingerprint(message: &str) -> String {
    let (_, rest) = message
        .split_once("(fingerprint ")
        .unwrap_or_else(|| panic!("no fingerprint in {message}"));
    rest.split(')').next().unwrap_or_default().to_owned()
}

fn problems(output: &RunOutput) -> Vec<Value> {
    let document = output.json();
    document["problems"]
        .as_array()
        .expect("a list of problems")
        .clone()
}

#[test]
fn a_key_in_context_in_the_document_or_in_a_listed_file_is_refused_before_anything_is_created() {
    let project = Project::new();
    let (server, model) = service(&project, &good_answers());
    project
        .repository
        .write("mathkit/config.py", format!("\nKEY = \"{}\"\n", key()));
    project.repository.commit_all("A mistake");
    let document = project.document();
    let leaky = DESIGN.replace("## 3.", &format!("Use {} for the bucket.\n\n## 3.", key()));
    let lists = DESIGN.replace(
        "| `mathkit/power.py` | Add",
        "| `mathkit/config.py` | Modify | Better. |\n| `mathkit/power.py` | Add",
    );
    let cases: [(&str, &[&str], &str); 3] = [
        (DESIGN, &["--context", "mathkit"], "mathkit/config.py"),
        (&leaky, &[], &document),
        (&lists, &[], "mathkit/config.py"),
    ];
    let mut said = Vec::new();
    for (design, arguments, place) in cases {
        project.environment.write("lld.md", design);
        let mut more = vec!["--format", "json"];
        more.extend(arguments);
        let output = project.run_with(&model, &more);
        output.expect_code(4);
        let found = problems(&output);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0]["kind"], "secret_content");
        assert_eq!(found[0]["where"], place);
        said.push(output.normalised_text("/problems/0/message"));
        said.push(output.normalised_stderr());
        assert_kept_in(&project, &server, &output);
        assert!(!project.repository.path().join(".git/proctor").exists());
    }
    insta::assert_snapshot!(said.join("\n"), @"
    line 2 holds what looks like an AWS access key id (fingerprint 155c84e21782), which is never sent
    error: mathkit/config.py: line 2 holds what looks like an AWS access key id (fingerprint 155c84e21782), which is never sent
    hint: nothing was created and nothing was sent; leave these files out of --context
    hint: a finding that is not a secret passes with --allow-secret FINGERPRINT

    line 15 holds what looks like an AWS access key id (fingerprint 155c84e21782), which is never sent
    error: [ROOT]/lld.md: line 15 holds what looks like an AWS access key id (fingerprint 155c84e21782), which is never sent
    hint: nothing was created and nothing was sent; leave these files out of --context
    hint: a finding that is not a secret passes with --allow-secret FINGERPRINT

    line 2 holds what looks like an AWS access key id (fingerprint 155c84e21782), which is never sent
    error: mathkit/config.py: line 2 holds what looks like an AWS access key id (fingerprint 155c84e21782), which is never sent
    hint: nothing was created and nothing was sent; leave these files out of --context
    hint: a finding that is not a secret passes with --allow-secret FINGERPRINT
    ");
    assert_eq!(server.received().len(), 0);
}

#[test]
fn a_key_that_the_tests_print_holds_the_next_request() {
    let project = Project::new();
    // Only when it runs is there a key.
    let (head, tail) = (&key()[..4], &key()[4..]);
    let tests = format!(
        "{TESTS}\n\ndef test_key():\n    key = \"{head}\" + \"{tail}\"\n    assert cube(1) == key\n"
    );
    let answers = [
        file_reply("tests/test_power.py", &tests),
        file_reply("mathkit/power.py", POWERS),
    ];
    let (server, model) = service(&project, &answers);
    let recorded = project.environment.root().join("recorded");
    let recorded = recorded.display().to_string();
    let output = project.run_with(
        &model,
        &["--verbose", "--format", "json", "--record", &recorded],
    );
    says(
        &output,
        3,
        "run RUN waits for a person: the model was not asked, because PATH holds what looks like SECRET (fingerprint 0123456789ab)",
    );
    assert_kept_in(&project, &server, &output);
    let run = output.json();
    assert_eq!(run["stage"], "implement");
    let waiting = text(&run["waiting_for"]);
    insta::assert_snapshot!(waiting, @"a person: the model was not asked, because line 1 of the test output of the last attempt holds what looks like an AWS access key id (fingerprint 155c84e21782)");
    assert_eq!(server.received().len(), 2, "the third request is held");

    // Asking again changes nothing; letting the finding pass sends the mark, never the key.
    let id = project.run_id();
    project.environment.proctor(["resume", &id]).expect_code(3);
    assert_eq!(server.received().len(), 2);
    let mark = fingerprint(&waiting);
    let output = project
        .environment
        .proctor(["resume", &id, "--allow-secret", &mark]);
    output.expect_code(3);
    assert_kept_in(&project, &server, &output);
    let received = server.received();
    assert!(received.len() > 2, "{}", output.stderr);
    let masked = format!("[masked aws-access-key-id {mark}]");
    assert!(received[2].contains(&masked), "{}", received[2]);
    let log = project.environment.proctor(["log", &id]);
    assert!(
        log.stdout
            .contains(&format!("secret_allowed: {mark}  Ada Tester")),
        "{}",
        log.stdout
    );
}

#[test]
fn a_key_in_a_reply_is_refused_and_not_kept() {
    let project = Project::new();
    let leaky = format!("{POWERS}\n\nKEY = \"{}\"\n", key());
    let [tests, power] = good_answers();
    let answers = [tests, file_reply("mathkit/power.py", &leaky), power];
    let (server, model) = service(&project, &answers);
    let recorded = project.environment.root().join("recorded");
    let recorded = recorded.display().to_string();
    let output = project.run_with(&model, &["--format", "json", "--record", &recorded]);
    output.expect_code(3);
    let run = output.json();
    assert_eq!(run["stage"], "review", "{}", output.stderr);
    assert_eq!(run["attempts"], json!({ "scaffold": 1, "implement": 2 }));
    insta::assert_snapshot!(unlike_a_good_run(&output.normalised_stderr()), @"
    …
    - ✓ N1 Scaffold     the model replied, 20 tokens  ([TIME])
    + • About 466 tokens go to the program `python3 [ROOT]/client.py http://127.0.0.1:[PORT]/`, which may send them on
    +   what goes to a model: the design document, the context files you named, the
    +   files that the design lists, test output; every request is scanned for secrets
    +   what is kept: all of that and the replies, in the git directory's proctor/ on
    +   this machine; `proctor clean` removes test output; more: docs/data-policy.md
    + ✓ N1 Scaffold     the model replied  ([TIME])
    …
    - ✓ N3 Implement    the model replied, 30 tokens  ([TIME])
    + ✓ N3 Implement    the model replied  ([TIME])
    + ✗ N3 Implement    reply refused: the reply holds what looks like an AWS access key id; nothing of it was used  ([TIME])
    + • N3 Implement    asking the model for mathkit/power.py, attempt 2 of 3 …
    + ✓ N3 Implement    the model replied  ([TIME])
    …
    ");
    assert_kept_in(&project, &server, &output);
    // The recording plays the same run again.
    let recording = format!("{recorded}/{}.jsonl", text(&run["run"]));
    let again = Project::new();
    let output = again.run_with(&format!("script:{recording}"), &["--format", "json"]);
    output.expect_code(3);
    assert_eq!(output.json()["attempts"], run["attempts"]);
    assert_eq!(output.json()["tree"], run["tree"]);
}

#[test]
fn a_person_lets_one_finding_through_and_that_is_recorded() {
    let project = Project::new();
    let (server, model) = service(&project, &good_answers());
    project
        .repository
        .write("fixture.txt", format!("{}\n", key()));
    let document = project.document();
    let check = |more: &[&str]| {
        let mut words = vec!["check", "--lld", &document, "--context", "fixture.txt"];
        words.extend(more);
        words.extend(["--format", "json"]);
        project.environment.proctor(words)
    };
    let refused = check(&[]);
    refused.expect_code(4);
    let mark = fingerprint(&text(&problems(&refused)[0]["message"]));
    check(&["--allow-secret", &mark]).expect_code(0);
    check(&["--allow-secret", "0123456789ab"]).expect_code(4);
    check(&["--allow-secret", "x"]).expect_code(2);
    let output = project.run_with(
        &model,
        &["--context", "fixture.txt", "--allow-secret", &mark],
    );
    output.expect_code(3);
    assert!(server.received()[0].contains(&key()));
    let log = project.environment.proctor(["log"]);
    assert!(
        log.stdout.contains(&format!("secret_allowed: {mark}")),
        "{}",
        log.stdout
    );
}

#[test]
fn a_request_that_has_grown_too_large_is_held() {
    let project = Project::new();
    let mut more = Vec::new();
    let names: Vec<String> = (0..3).map(|number| format!("words{number}.txt")).collect();
    for name in &names {
        let words = "a b c d e f g h ".repeat(6_250);
        project.repository.write(name, words);
        more.extend(["--context", name.as_str()]);
    }
    // The model's own text is sent with the next question.
    let line = format!("# {}\n", "a b c d e f g h i ".repeat(100));
    let tests = format!("{TESTS}\n\n{}", line.repeat(135));
    let script = Script::new().reply(Reply::scaffold(file_reply("tests/test_power.py", &tests)));
    let output = project.run(&script, &more);
    says(
        &output,
        3,
        "run RUN waits for a person: the model was not asked, because the request has about 300000 tokens, more than the limit of 250000; the largest pieces: PATH",
    );
}
