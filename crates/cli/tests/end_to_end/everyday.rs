//! The tenth use: documents to start from, runs by short names, and words that lead somewhere.

use std::fmt::Write as _;
use std::path::Path;

use proctor_testkit::Script;
use serde_json::json;

use crate::messages::says;
use crate::project::{DESIGN, POWERS, Project, TESTS, approve, good, scaffold, text};

#[test]
fn a_new_document_is_accepted_as_it_is_and_found_by_its_issue() {
    let project = Project::new();
    let output = project
        .environment
        .proctor(["new", "87", "Round prices to cents!"]);
    insta::assert_snapshot!(output.normalised(), @"
    exit code: 0
    --- stdout
    docs/lld/87-round-prices-to-cents.md written

    next
      fill it in: files, requirements, test scenarios
      proctor check docs/lld/87-round-prices-to-cents.md
      proctor run --issue 87
    --- stderr
    ");
    let path = "docs/lld/87-round-prices-to-cents.md";
    let document = project.repository.read(path);
    assert!(document.starts_with("# 87 - Round prices to cents!\n"));
    assert!(document.contains("`mathkit/round_prices_to_cents.py`"));
    let checked = project.json(&["check", path]);
    assert_eq!(checked["problems"], json!([]));
    assert_eq!(checked["files"].as_array().unwrap().len(), 2);

    // Never over an existing one.
    project.repository.write(path, "mine\n");
    let again = project
        .environment
        .proctor(["new", "87", "Round prices, to cents"]);
    again.expect_code(4);
    assert_eq!(project.repository.read(path), "mine\n");

    // A whole run needs no more than the number.
    project.repository.write(path, DESIGN);
    let model = project.script(&good());
    let words = ["run", "--issue", "#87", "--model", &model];
    let mut terminal = project.environment.proctor_on_terminal(words);
    approve(&mut terminal);
    assert_eq!(project.status()["title"], "Feature: Powers");
}

#[test]
fn a_new_document_in_an_empty_repository_needs_no_commit() {
    let environment = proctor_testkit::TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    let repository = environment.init_repository();
    let mut command = environment.proctor_command(["new", "A-1", "価格", "--format", "json"]);
    std::fs::create_dir(repository.path().join("inner")).unwrap();
    command.current_dir(repository.path().join("inner"));
    let output = environment.run(command);
    output.expect_code(0);
    assert_eq!(output.json()["path"], "docs/lld/A-1.md");
    let checked = environment.proctor(["check", "docs/lld/A-1.md", "--format", "json"]);
    assert_eq!(checked.json()["problems"], json!([]));
}

#[test]
fn a_run_without_a_document_finds_exactly_one_or_says_why_not() {
    let project = Project::new();
    let run = || {
        let model = project.script(&good());
        project
            .environment
            .proctor(["run", "--issue", "87", "--dry-run", "--model", &model])
    };
    project.repository.write("docs/870-other.md", DESIGN);
    project.repository.write("docs/about-87.md", DESIGN);
    let none = run();
    says(
        &none,
        2,
        "issue ISSUE has no design document: no file docs/**/ISSUE*.md",
    );
    project
        .repository
        .write("docs/deep/down/87_powers.md", DESIGN);
    run().expect_code(0);
    project.repository.write("docs/87.md", DESIGN);
    let several = run();
    says(
        &several,
        2,
        "issue ISSUE has several design documents: PATH1, PATH2",
    );
    insta::assert_snapshot!(several.normalised(), @"
    exit code: 2
    --- stdout
    --- stderr
    error: issue 87 has several design documents: docs/87.md, docs/deep/down/87_powers.md
    hint: name the one that is meant with --lld FILE
    ");
}

/// Two runs that wait for their review, of issues 87 and 870.
fn two_waiting() -> Project {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let (model, document) = (project.script(&good()), project.document());
    let other = [
        "run", "--issue", "870", "--lld", &document, "--model", &model,
    ];
    project.environment.proctor(other).expect_code(3);
    project
}

#[test]
fn the_status_says_what_each_run_does_and_what_to_type() {
    let project = two_waiting();
    let shown = project.environment.proctor(["status"]).normalised();
    // Only ids of the usual issue are normalised.
    let other = text(&project.json(&["status"])["runs"][1]["run"]);
    let shown = shown.replace(&other, "870-xxxxxx");
    insta::assert_snapshot!(shown, @"
    exit code: 0
    --- stdout
    run         state    stage      age  title
    [RUN]   waiting  N6 Review  now  Feature: Powers
        waits for a person's decision at the diff review gate
        proctor review 87
    870-xxxxxx  waiting  N6 Review  now  Feature: Powers
        waits for a person's decision at the diff review gate
        proctor review 870
    --- stderr
    ");
    let runs = project.json(&["status"]);
    assert_eq!(runs["runs"][0]["activity"], "waiting");
    assert_eq!(runs["runs"][0]["state"], "parked");
    assert_eq!(runs["runs"][0]["next"], "proctor review 87");
    // The printed command works.
    let mut terminal = project.environment.proctor_on_terminal(["review", "87"]);
    approve(&mut terminal);
    let runs = project.json(&["status"]);
    assert_eq!(runs["runs"][0]["activity"], "merged");
    assert_eq!(runs["runs"][1]["activity"], "waiting");
}

#[test]
fn a_run_is_running_while_its_process_lives_and_interrupted_afterwards() {
    let project = Project::new();
    // The reply takes longer than anything below.
    let slow = Script::new().reply(scaffold().delay_milliseconds(600_000));
    let mut command = project.run_command(&slow);
    command.stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("proctor starts");
    let stderr = child.stderr.take().expect("it is piped");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stderr));
    assert!(lines.any(|line| line.unwrap().contains("N1")), "it asks");
    let status = project.status();
    assert_eq!(status["activity"], "running", "{status:#}");
    assert_eq!(status["next"], json!(null));
    child.kill().expect("it lives");
    child.wait().expect("it is gone");
    let status = project.status();
    assert_eq!(status["activity"], "interrupted", "{status:#}");
    assert_eq!(status["state"], "running", "the contract's word");
    assert_eq!(status["next"], "proctor resume 87");
    let shown = project.environment.proctor(["status", "87"]).normalised();
    assert!(shown.contains("state      interrupted"), "{shown}");
    assert!(shown.contains("title      Feature: Powers"), "{shown}");
}

#[test]
fn runs_are_named_by_their_issue_or_by_a_beginning_everywhere() {
    let project = two_waiting();
    let run = text(&project.json(&["status"])["runs"][0]["run"]);
    let beginning = &run[..5];
    for name in ["87", "#87", beginning] {
        assert_eq!(
            project.json(&["status", name])["run"],
            run.as_str(),
            "{name}"
        );
        let records = project.json(&["log", name]);
        let records = records["records"].as_array().unwrap();
        assert!(!records.is_empty() && records.iter().all(|it| it["run"] == run.as_str()));
        let sheet = project.json(&["review", name, "--dry-run"]);
        assert_eq!(sheet["run"], run.as_str(), "{name}");
        assert_eq!(project.json(&["report", name])["run"], run.as_str());
    }
    let ambiguous = project.environment.proctor(["log", "8"]);
    says(&ambiguous, 2, "\"NAME\" may be one of 2 runs: RUN1, RUN2");
    assert!(ambiguous.stderr.contains(&run), "{}", ambiguous.stderr);
    project.environment.proctor(["resume", "87"]).expect_code(3);
    project
        .environment
        .proctor(["abort", beginning])
        .expect_code(0);
    // An issue whose runs are all over is still one run's name, as long as it has one.
    assert_eq!(project.json(&["status", "87"])["state"], "aborted");
}

#[test]
fn a_report_without_a_place_is_a_file_and_says_where() {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let output = project.environment.proctor(["report"]);
    insta::assert_snapshot!(output.normalised(), @"
    exit code: 0
    --- stdout
    [REPO]/.git/proctor/reports/[RUN].html
    --- stderr
    ");
    let page = std::fs::read_to_string(output.stdout.trim()).expect("a file");
    let run = project.run_id();
    let title = format!("<title>Feature: Powers - Proctor run {run}</title>");
    assert!(page.contains(&title), "{page}");
    assert!(page.contains("<h1>Feature: Powers "), "{page}");
    // Written again, over the earlier one; and on standard output where that is wanted.
    project.environment.proctor(["report", "87"]).expect_code(0);
    let printed = project.environment.proctor(["report", "--output", "-"]);
    assert!(printed.stdout.starts_with("<!DOCTYPE html>"));
    assert!(!project.repository.exists("-"));
}

#[test]
fn saying_no_is_no_error() {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let mut terminal = project
        .environment
        .proctor_on_terminal(["review", "87", "--no-pager"]);
    terminal.expect("Type APPROVE");
    terminal.send_line("REJECT not like this");
    assert_eq!(terminal.wait(), 1);
    let screen = terminal.screen();
    assert!(screen.contains("done: run 87-"), "{screen}");
    assert!(!screen.contains("error:"), "{screen}");
    let status = project.status();
    assert_eq!(status["activity"], "aborted");
}

#[test]
fn check_counts_problems_and_warnings_apart_and_a_file_once() {
    let project = Project::new();
    let modified = DESIGN.replace(
        "| `tests/test_power.py` | Add |",
        "| `../outside.py` | Add | x |\n| `mathkit/basic.py` | Modify | y |\n| `tests/test_power.py` | Modify |",
    );
    project.environment.write("lld.md", &modified);
    let document = project.document();
    let output = project
        .environment
        .proctor(["check", &document, "--context", ".env"]);
    insta::assert_snapshot!(output.normalised(), @r#"
    exit code: 4
    --- stdout
    warning: [ROOT]/lld.md: line 15: the file to modify, "tests/test_power.py", does not exist; correct the path or the change type
    --- stderr
    error: 2 problems with what is to be sent
      [ROOT]/lld.md: line 13: the path "../outside.py" has a component that is a dot or two dots; correct it in the table of files
      .env: files named like this hold secrets (.env*) and are never sent
    hint: nothing was created and nothing was sent; leave these files out of --context
    "#);
    let run = project.run(&good(), &[]);
    run.expect_code(4);
    insta::assert_snapshot!(run.normalised(), @r#"
    exit code: 4
    --- stdout
    --- stderr
    error: [ROOT]/lld.md: line 13: the path "../outside.py" has a component that is a dot or two dots; correct it in the table of files
    hint: nothing was created and nothing was sent; correct the document
    "#);

    // The same without the obstacle; the listed file is shown once, however often it is named.
    let modified = modified.replace("| `../outside.py` | Add | x |\n", "");
    project.environment.write("lld.md", &modified);
    let alone = project.json(&["check", &document]);
    let both = project.json(&["check", &document, "--context", "mathkit/basic.py"]);
    assert_eq!(alone["total_tokens"], both["total_tokens"]);
    let output = project
        .environment
        .proctor(["check", &document, "--context", "mathkit/basic.py"]);
    insta::assert_snapshot!(output.normalised(), @r#"
    exit code: 0
    --- stdout
    design: 87 - Feature: Powers

    files
      add     mathkit/power.py
      modify  mathkit/basic.py
      add     tests/test_power.py

    3 files, 1 requirement, 1 test scenario

    what the model would be sent
          bytes     tokens    share
            666        196    0.1 %  [ROOT]/lld.md
             32         12    0.0 %  mathkit/basic.py
            698        208    0.1 %  in all; a run may send 200,000 tokens (estimate)

    warning: [ROOT]/lld.md: line 14: the file to modify, "tests/test_power.py", does not exist; correct the path or the change type

    no problems, 1 warning
    --- stderr
    "#);
}

#[test]
fn check_suggests_what_the_listed_files_import() {
    let project = Project::new();
    let repository = &project.repository;
    repository.write("mathkit/rounding.py", "def down(x):\n    return x\n");
    repository.write(
        "mathkit/power.py",
        "import os\nfrom mathkit.basic import add\nfrom . import rounding\n",
    );
    repository.commit_all("More of it");
    let document = project.document();
    let checked = project.json(&["check", &document]);
    assert_eq!(
        checked["suggested_context"],
        json!(["mathkit/basic.py", "mathkit/rounding.py"])
    );
    let shown = project
        .environment
        .proctor(["check", &document, "--context", "mathkit/basic.py"]);
    insta::assert_snapshot!(shown.normalised(), @"
    exit code: 0
    --- stdout
    design: 87 - Feature: Powers

    files
      modify  mathkit/power.py
      add     tests/test_power.py

    2 files, 1 requirement, 1 test scenario

    what the model would be sent
          bytes     tokens    share
            627        184    0.1 %  [ROOT]/lld.md
             63         15    0.0 %  mathkit/power.py
             32         12    0.0 %  mathkit/basic.py
            722        211    0.1 %  in all; a run may send 200,000 tokens (estimate)

    imported by these files, but not shown to the model; add what it needs
      --context mathkit/rounding.py

    no problems, no warnings
    --- stderr
    ");
}

#[test]
fn words_of_other_programs_lead_somewhere() {
    let project = Project::new();
    let mut said = String::new();
    for words in [
        &["approve"][..],
        &["version"],
        &["status", "--json"],
        &["check"],
        &["stauts"],
        &["new", "87", " "],
        &["new", "8 7", "x"],
    ] {
        let output = project.environment.proctor(words);
        output.expect_code(2);
        let _ = write!(said, "$ proctor {}\n{}", words.join(" "), output.stderr);
    }
    insta::assert_snapshot!(said, @r#"
    $ proctor approve
    error: unrecognized subcommand 'approve'
    hint: a person decides about a run at its review: `proctor review RUN`
    $ proctor version
    error: unrecognized subcommand 'version'
    hint: write `proctor --version`
    $ proctor status --json
    error: unexpected argument '--json' found
    hint: write `--format json`
    $ proctor check
    error: there is nothing to check
    hint: name a design document, or files for the model with --context PATH, or both
    $ proctor stauts
    error: unrecognized subcommand 'stauts'
    hint: some similar subcommands exist: 'trust', 'status'
    $ proctor new 87  
    error: a design document needs a title
    hint: say in a few words what it is about: `proctor new ID "TITLE"`
    $ proctor new 8 7 x
    error: "8 7" cannot be an issue: it becomes part of a branch name
    hint: use letters, digits, `-`, `_` and `.`, at most 64, letters or digits at both ends
    "#);
    for word in ["--help", "--version"] {
        let document = project.environment.proctor([word, "--format", "json"]);
        document.expect_code(0);
        let document = document.json();
        let said = text(&document[word.trim_start_matches('-')]);
        assert!(said.contains("proctor"), "{said}");
        assert_eq!(document["schema"], 1);
    }
}

#[test]
fn a_name_that_is_nearly_a_model_is_answered_with_the_model() {
    let mut project = Project::new();
    // No agent is installed here.
    let path = Path::new("/usr/bin:/bin");
    project.environment.set_variable("PATH", path.as_os_str());
    let mut said = String::new();
    for model in [
        "gpt-5",
        "claude",
        "antropic:x",
        "anthropic",
        "zzz",
        "claude-cli",
        "codex-cli:x",
    ] {
        let output = project.run_with(model, &[]);
        output.expect_code(2);
        let _ = write!(said, "$ --model {model}\n{}", output.stderr);
    }
    let words = ["run", "--issue", "87", "--lld", &project.document()];
    said += &project.environment.proctor(words).stderr;
    insta::assert_snapshot!(said, @r#"
    $ --model gpt-5
    error: "gpt-5" names no model
    hint: did you mean `openai:gpt-5`?
    hint: known forms: anthropic:NAME, openai:NAME, gemini:NAME, ollama:NAME, claude-cli[:NAME], codex-cli[:NAME], gemini-cli[:NAME], script:FILE, command:PROGRAM
    $ --model claude
    error: "claude" names no model
    hint: did you mean `claude-cli` or `anthropic:claude-sonnet-5-5`?
    hint: known forms: anthropic:NAME, openai:NAME, gemini:NAME, ollama:NAME, claude-cli[:NAME], codex-cli[:NAME], gemini-cli[:NAME], script:FILE, command:PROGRAM
    $ --model antropic:x
    error: "antropic:x" names no model
    hint: did you mean `anthropic:x`?
    hint: known forms: anthropic:NAME, openai:NAME, gemini:NAME, ollama:NAME, claude-cli[:NAME], codex-cli[:NAME], gemini-cli[:NAME], script:FILE, command:PROGRAM
    $ --model anthropic
    error: "anthropic" names no model of that service
    hint: add the name that it has for the model, such as `anthropic:claude-sonnet-5-5`
    $ --model zzz
    error: "zzz" names no model
    hint: known forms: anthropic:NAME, openai:NAME, gemini:NAME, ollama:NAME, claude-cli[:NAME], codex-cli[:NAME], gemini-cli[:NAME], script:FILE, command:PROGRAM
    $ --model claude-cli
    error: the model program "claude" cannot be found
    hint: install it with `npm install -g @anthropic-ai/claude-code` and sign in once, or name another model with --model
    $ --model codex-cli:x
    error: the model program "codex" cannot be found
    hint: install it with `npm install -g @openai/codex` and sign in once, or name another model with --model
    error: no model is chosen
    hint: name one with --model (such as `anthropic:claude-sonnet-5-5` or `claude-cli`), PROCTOR_MODEL or `[model] default`
    "#);
}

#[test]
fn a_dry_run_finds_what_the_run_would_refuse() {
    let project = Project::new();
    let dry = |project: &Project, model: &str| project.run_with(model, &["--dry-run"]);
    let model = project.script(&good());
    dry(&project, &model).expect_code(0);
    // A model that cannot answer.
    dry(&project, "script:/nowhere.jsonl").expect_code(2);
    let no_key = dry(&project, "anthropic:some-model");
    no_key.expect_code(5);
    // A branch that is in use.
    project.repository.git(["branch", "feat/issue-87"]);
    dry(&project, &model).expect_code(0);
    project.repository.write("more.txt", "x\n");
    project.repository.commit_all("More");
    let diverged = dry(&project, &model);
    diverged.expect_code(5);
    assert!(
        diverged.stderr.contains("feat/issue-87"),
        "{}",
        diverged.stderr
    );
    project.repository.git(["branch", "-D", "feat/issue-87"]);
    // A run that is open.
    project.run(&good(), &[]).expect_code(3);
    let open = dry(&project, &model);
    open.expect_code(2);
    assert!(
        open.stderr.contains("already has an open run"),
        "{}",
        open.stderr
    );
    // No runner.
    project.environment.proctor(["abort", "87"]).expect_code(0);
    let settings = "[test]\ncommand = \"/no/such/python\"\n";
    project.repository.write("proctor.toml", settings);
    project.repository.commit_all("Settings");
    dry(&project, &model).expect_code(5);
}

#[test]
fn an_interrupted_run_goes_on_by_the_command_that_status_names() {
    let project = Project::new();
    let broken = Script::new().reply(scaffold());
    // The script has no reply for the implementation: the run stops there, in the middle.
    project.run(&broken, &[]).expect_code(5);
    assert_eq!(project.status()["activity"], "interrupted");
    project.script(&good());
    let next = text(&project.status()["next"]);
    let words: Vec<&str> = next.split(' ').skip(1).collect();
    let mut terminal = project.environment.proctor_on_terminal(words);
    approve(&mut terminal);
}

#[test]
fn a_gate_says_which_check_is_running() {
    let project = Project::judging();
    project.repository.write("tests/test_power.py", TESTS);
    project.repository.write("mathkit/power.py", POWERS);
    let words = ["gate", "green", "--no-pager"];
    let mut terminal = project.environment.proctor_on_terminal(words);
    // One after the other, in the line that moves.
    for check in [
        "reading the change (",
        "the suite at the base (",
        "the new tests alone (",
        "the suite with the change (",
    ] {
        terminal.expect(check);
    }
    assert_eq!(terminal.wait(), 0, "{}", terminal.screen());
    let screen = terminal.screen();
    assert!(!screen.contains("all have to pass"), "{screen}");
    // A log has the result and nothing else.
    let output = project.environment.proctor(["gate", "green"]);
    assert_eq!(output.stderr, "");
}

#[test]
fn a_narrow_terminal_breaks_between_words_and_leaves_commands_whole() {
    let project = Project::new();
    let document = project.document();
    let words = ["run", "--issue", "87", "--lld", &document];
    let mut terminal = project.environment.proctor_on_terminal(words);
    assert_eq!(terminal.wait(), 2);
    let screen = terminal.screen();
    let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
    assert!(
        lines.iter().all(|line| line.chars().count() <= 100),
        "{screen}"
    );
    let hint = lines.iter().position(|line| line.starts_with("hint: "));
    let hint = lines[hint.expect("a hint")..].join("\n");
    insta::assert_snapshot!(hint, @"
    hint: name one with --model (such as `anthropic:claude-sonnet-5-5` or `claude-cli`), PROCTOR_MODEL
      or `[model] default`
    ");

    // A command that is longer than the screen is one line all the same.
    let deep = format!("{}/repository", "a".repeat(90));
    let repository = project.environment.init_repository_at(&deep);
    repository.write("README.md", "x\n");
    repository.commit_all("One");
    let place = repository.path().display().to_string();
    let words = ["-C", &place, "new", "5", "A title"];
    let mut terminal = project.environment.proctor_on_terminal(words);
    assert_eq!(terminal.wait(), 0);
    let command = format!("  proctor -C {place} run --issue 5");
    assert!(
        terminal.screen().contains(&command),
        "{}",
        terminal.screen()
    );
}
