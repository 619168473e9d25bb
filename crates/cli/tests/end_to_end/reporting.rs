//! `proctor report`: one page about a run, that can be opened without fear.

use proctor_testkit::Script;

use crate::project::{POWERS, Project, WRONG_POWERS, approve, good, implement, scaffold, text};

/// Text that would act if the page did not escape it.
const HOSTILE: &str =
    "# <script src=https://evil.example/x.js></script><img src=x onerror=alert(1)> \u{202e}kcab\n";

fn merged(project: &Project, script: &Script) -> String {
    let mut terminal = project.run_at_terminal(script, &["--no-pager"]);
    approve(&mut terminal);
    project.run_id()
}

fn page(project: &Project, run: &str) -> String {
    let output = project
        .environment
        .proctor(["report", run, "--output", "-"]);
    output.expect_code(0);
    output.stdout.clone()
}

#[test]
fn a_page_tells_everything_about_a_merged_run_and_nothing_on_it_acts() {
    let project = Project::new();
    let script = Script::new()
        .reply(scaffold())
        .reply(implement(WRONG_POWERS))
        .reply(implement(&format!("{HOSTILE}{POWERS}")));
    let run = merged(&project, &script);
    let page = page(&project, &run);
    assert!(page.starts_with("<!DOCTYPE html><!-- Proctor report -->\n<html"));
    assert!(page.trim_end().ends_with("</html>"));

    let status = project.json(&["status", &run]);
    let commit = text(&status["commit"]);
    for wanted in [
        run.as_str(),
        commit.as_str(),
        &text(&status["tree"]),
        "merged",
        "tests/test_power.py::test_square",
        "tests/test_power.py::test_cube",
        "valid red",
        "valid green",
        "the reply",
        "what the model was told",
        "mathkit/power.py",
        "unbroken",
        "approved by",
    ] {
        assert!(page.contains(wanted), "{wanted} is missing");
    }
    // The first implementation was refused, and the page says why.
    assert!(page.contains("class=\"bad\""), "no refusal is shown");

    // A model's text is text, wherever it appears.
    assert!(page.contains("&lt;script src=https://evil.example/x.js&gt;"));
    assert!(!page.contains('\u{202e}'), "a hidden character is shown");
    let tags = page.split('<').skip(1);
    let names: std::collections::BTreeSet<&str> = tags
        .map(|tag| tag.trim_start_matches('/'))
        .map(|tag| &tag[..tag.find([' ', '>']).unwrap_or(0)])
        .collect();
    for forbidden in ["script", "img", "link", "iframe", "object", "svg", "form"] {
        assert!(!names.contains(forbidden), "{forbidden}: {names:?}");
    }
    for attribute in ["onerror=", "onload=", "src="] {
        let at = |tag: &&str| {
            tag.split('>')
                .next()
                .is_some_and(|tag| tag.contains(attribute))
        };
        let found: Vec<&str> = page.split('<').skip(1).filter(at).collect();
        assert_eq!(found, Vec::<&str>::new(), "{attribute}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn the_newest_run_is_reported_in_whatever_state_it_is() {
    let project = Project::new();
    let none = project.environment.proctor(["report"]);
    insta::assert_snapshot!(none.normalised(), @r#"
    exit code: 2
    --- stdout
    --- stderr
    error: there is no run yet
    hint: start one with `proctor run --issue ID`; `proctor new ID "TITLE"` writes its design document
    "#);

    project.run(&good(), &[]).expect_code(3);
    let run = project.run_id();
    let waiting = project.environment.proctor(["report", "--output", "-"]);
    waiting.expect_code(0);
    assert!(waiting.stdout.contains("Waits for"), "{}", waiting.stdout);
    assert!(waiting.stdout.contains("not given"), "{}", waiting.stdout);

    let document = project.json(&["report", "--output", "-"]);
    assert_eq!(
        (&document["ok"], text(&document["run"])),
        (&true.into(), run)
    );
    assert!(text(&document["html"]).contains("Waits for"));
    project
        .environment
        .proctor(["report", "87-nothing"])
        .expect_code(2);
}

#[test]
fn only_an_earlier_report_is_written_over() {
    let project = Project::new();
    project.run(&good(), &[]).expect_code(3);
    let root = project.environment.root();
    let file = root.join("pages/run.html").display().to_string();
    for _ in 0..2 {
        let output = project.environment.proctor(["report", "--output", &file]);
        insta::allow_duplicates! {
            insta::assert_snapshot!(output.normalised(), @"
        exit code: 0
        --- stdout
        [ROOT]/pages/run.html
        --- stderr
        ");
        }
    }
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.contains("mathkit/power.py"));

    let mine = project.environment.write("mine.html", "<p>mine</p>\n");
    let mine = mine.display().to_string();
    let refused = project.environment.proctor(["report", "--output", &mine]);
    insta::assert_snapshot!(refused.normalised(), @"
    exit code: 4
    --- stdout
    --- stderr
    error: [ROOT]/mine.html exists already and is not a report
    hint: name another file with --output
    ");
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), "<p>mine</p>\n");

    let link = root.join("link.html");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let link = link.display().to_string();
    project
        .environment
        .proctor(["report", "--output", &link])
        .expect_code(4);
}
