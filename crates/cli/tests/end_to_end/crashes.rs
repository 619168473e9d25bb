//! Killed at every journal write and around every effect, and interrupted by a person.

use std::path::Path;
use std::process::Command;

use proctor_testkit::{Script, Terminal};
use serde_json::Value;
use tempfile::TempDir;

use crate::messages::says;
use crate::project::{
    POWERS, PROMPT, Project, TESTS, WRONG_POWERS, approve, good, implement, scaffold, text,
};
use crate::way_back::{FOREIGN_CALL, WRONG_TESTS, says_tests_are_wrong, tests};

const KILLED: i32 = 128 + 9;

fn script() -> Script {
    Script::new()
        .reply(scaffold())
        .reply(implement(WRONG_POWERS))
        .reply(implement(POWERS))
}

/// The same command, killed at the `point`-th place where that can be done.
fn killed_at(mut command: Command, point: u32) -> Command {
    command.env("PROCTOR_CRASH_AT", point.to_string());
    command
}

struct Finished {
    tree: String,
    commits: usize,
}

/// Everything that has to hold once a run is merged, however it got there.
fn assert_finished(project: &Project) -> Finished {
    let run = project.status();
    assert_eq!(run["state"], "merged", "{run:#}");
    assert_eq!(project.leftovers(), Vec::<String>::new());
    assert_eq!(project.branches().trim(), "main");
    assert_eq!(
        project.repository.git(["worktree", "list"]).lines().count(),
        1
    );
    assert_eq!(project.repository.git(["status", "--porcelain"]), "");
    assert_eq!(
        project.repository.git(["for-each-ref", "refs/proctor"]),
        "",
        "nothing was uncommitted"
    );
    assert_eq!(run["tree"], project.repository.tree_of("HEAD").as_str());
    let trail = project.environment.proctor(["log", "--verify"]);
    trail.expect_code(0);
    Finished {
        tree: text(&run["tree"]),
        commits: project.repository.git(["rev-list", "HEAD"]).lines().count(),
    }
}

/// Continues a run at a terminal, approving when asked; returns the exit code.
fn go_on(project: &Project, crash_at: Option<u32>) -> i32 {
    let run = project.run_id();
    let mut command = project.environment.proctor_command(["resume", &run]);
    if let Some(point) = crash_at {
        command = killed_at(command, point);
    }
    let mut terminal = Terminal::spawn(&command);
    approve_when_asked(&mut terminal)
}

fn approve_when_asked(terminal: &mut Terminal) -> i32 {
    if let Some(code) = terminal.expect_or_end(PROMPT) {
        return code;
    }
    terminal.send_line("APPROVE");
    terminal.wait()
}

#[test]
fn a_run_killed_at_every_point_one_after_the_other_still_ends_in_one_right_commit() {
    let undisturbed = Project::judging();
    let mut terminal = undisturbed.run_at_terminal(&script(), &[]);
    assert_eq!(approve_when_asked(&mut terminal), 0);
    let expected = assert_finished(&undisturbed);
    assert_eq!(expected.commits, 2);

    let project = Project::judging();
    let base = project.repository.head();
    let before = project.repository.checkout_fingerprint();
    let start = project.run_command(&script());
    // The first point is the registration itself.
    let mut terminal = Terminal::spawn(&killed_at(start, 1));
    assert_eq!(terminal.wait(), KILLED);
    // Every process from here on gets a little further and is killed: at its first, second, … point
    // in turn, so that each place is hit after each kind of predecessor.
    let mut killed = 1;
    let mut point = 1;
    let code = loop {
        if project.repository.head() == base {
            // Until the merge the user's checkout is unchanged, whatever happened.
            project
                .repository
                .checkout_fingerprint()
                .assert_unchanged_since(&before);
        }
        match go_on(&project, Some(point)) {
            KILLED => killed += 1,
            code => break code,
        }
        // An effect has at most seven points; only a process that survives them all gets further.
        point = point % 8 + 1;
        assert!(killed < 200, "no progress");
    };
    assert_eq!(code, 0);
    assert!(
        killed > 15,
        "only {killed} kills; the points are not where they should be"
    );
    let finished = assert_finished(&project);
    assert_eq!(finished.tree, expected.tree);
    assert_eq!(finished.commits, expected.commits);
}

/// A stretch of a run between two places where it has to wait, so that each point of it can be tried
/// without everything before and after it.
struct Part {
    /// The person or command that continues it.
    by: By,
    /// The model's replies meanwhile, and the earlier ones.
    script: Script,
    /// How a process ends that gets through.
    code: i32,
    /// Fewer points than this are not where they should be.
    fewest: u32,
}

/// The person or command that continues a run.
enum By {
    /// A command that asks no one; the first one starts the run.
    Command,
    /// A person who asks for other tests.
    Words,
    /// A person who edited the tests, confirms it, and decides nothing else.
    Edit,
    /// A person who approves.
    Approval,
}

fn part(by: By, script: Script, code: i32, fewest: u32) -> Part {
    Part {
        by,
        script,
        code,
        fewest,
    }
}

/// Up to the first question, the tests, the implementation, and the person's decision.
fn straight_on() -> Vec<Part> {
    vec![
        part(By::Command, Script::new().reply(implement(POWERS)), 5, 8),
        part(By::Command, Script::new().reply(scaffold()), 5, 8),
        part(By::Command, good(), 3, 10),
        part(By::Approval, good(), 0, 12),
    ]
}

/// Up to tests that are at fault, the green gate that finds it, better tests, and the person's decision.
fn back_from_the_gate() -> Vec<Part> {
    let faulty = || Script::new().reply(tests(FOREIGN_CALL));
    let found = || faulty().reply(implement(POWERS));
    let fixed = || found().reply(scaffold());
    vec![
        part(By::Command, faulty(), 5, 8),
        part(By::Command, found(), 5, 8),
        part(By::Command, fixed(), 3, 8),
        part(By::Approval, fixed(), 0, 12),
    ]
}

/// Up to the red, the model's objection, other tests and code, and the person's decision.
fn back_by_the_model() -> Vec<Part> {
    let disputed = || {
        let reply = says_tests_are_wrong("27 is a cube");
        Script::new().reply(tests(WRONG_TESTS)).reply(reply)
    };
    let fixed = || disputed().reply(scaffold()).reply(implement(POWERS));
    vec![
        part(By::Command, Script::new().reply(tests(WRONG_TESTS)), 5, 8),
        part(By::Command, disputed(), 5, 2),
        part(By::Command, fixed(), 3, 12),
        part(By::Approval, fixed(), 0, 12),
    ]
}

/// Up to a green, a person's words about its tests, and their decision.
fn back_by_a_person(by: By, code: i32) -> Vec<Part> {
    let again = || good().reply(scaffold());
    vec![
        part(By::Command, again(), 3, 20),
        part(by, again(), code, 5),
        part(By::Approval, again(), 0, 12),
    ]
}

impl Part {
    /// Starts the run or continues it.
    fn perform(&self, project: &Project, crash_at: Option<u32>) -> i32 {
        let model = project.script(&self.script);
        let environment = &project.environment;
        let runs = project.json(&["status"]);
        let mut command = if runs["runs"].as_array().is_some_and(Vec::is_empty) {
            environment.proctor_command(project.run_arguments(&model, &[]))
        } else {
            let status = project.status();
            let run = text(&status["run"]);
            // A person who was heard does not say it again.
            let is_asked = status["stage"] == "review" && status["attempts"]["scaffold"] == 1;
            if matches!(self.by, By::Words) && is_asked {
                environment.proctor_command(["resume", &run, "--tests", "ask for more"])
            } else {
                environment.proctor_command(["resume", &run])
            }
        };
        if let Some(point) = crash_at {
            command = killed_at(command, point);
        }
        match self.by {
            By::Approval => approve_when_asked(&mut Terminal::spawn(&command)),
            By::Edit => Self::edit(project, &command),
            By::Command | By::Words => project.environment.run(command).code,
        }
    }

    /// A person edits the tests, confirms it unless that edit is already in place, and leaves when they are asked to
    /// approve.
    fn edit(project: &Project, command: &Command) -> i32 {
        let run = project.status();
        let own = format!("{TESTS}    assert cube(-2) == -8\n");
        let file = Path::new(&text(&run["worktree"])).join("tests/test_power.py");
        std::fs::write(file, &own).expect("the worktree is there");
        let stands = format!("{}:tests/test_power.py", text(&run["tree"]));
        let stands = project.repository.git(["show", &stands]);
        let mut terminal = Terminal::spawn(command);
        if stands.trim_end() != own.trim_end() {
            if let Some(code) = terminal.expect_or_end("Type TAKE") {
                return code;
            }
            terminal.send_line("TAKE");
        }
        if let Some(code) = terminal.expect_or_end(PROMPT) {
            return code;
        }
        terminal.send_control('c');
        terminal.wait()
    }
}

/// The facts that have to be the same however often a process was killed on the way.
fn facts(project: &Project) -> Vec<Value> {
    let run = project.status();
    let gate = |name: &str| run[name]["verdict"].clone();
    let mut facts = vec![gate("red"), gate("green")];
    let names = ["stage", "state", "tree", "attempts", "usage", "base"];
    facts.extend(names.map(|name| run[name].clone()));
    facts
}

/// A copy of everything there is, to go back to.
struct Saved<'a> {
    project: &'a Project,
    copy: TempDir,
}

impl<'a> Saved<'a> {
    fn of(project: &'a Project) -> Self {
        let copy = tempfile::tempdir().expect("a temporary directory");
        copy_all(project.environment.root(), copy.path());
        Self { project, copy }
    }

    fn restore(&self) {
        let root = self.project.environment.root();
        for entry in std::fs::read_dir(root).expect("readable").flatten() {
            let path = entry.path();
            let removed = if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                std::fs::remove_dir_all(path)
            } else {
                std::fs::remove_file(path)
            };
            removed.expect("a throw-away world");
        }
        copy_all(self.copy.path(), root);
    }
}

fn copy_all(from: &Path, to: &Path) {
    let copied = Command::new("cp")
        .arg("-a")
        .arg(from.join("."))
        .arg(to)
        .status()
        .expect("cp is everywhere");
    assert!(copied.success());
}

/// Kills a process once at each point of a part, continues, and compares with an undisturbed run.
fn killed_once(project: &Project, parts: &[Part], number: usize) {
    for part in &parts[..number] {
        assert_eq!(part.perform(project, None), part.code);
    }
    let part = &parts[number];
    let saved = Saved::of(project);
    assert_eq!(part.perform(project, None), part.code);
    let expected = facts(project);
    let mut point = 0;
    loop {
        point += 1;
        saved.restore();
        let code = part.perform(project, Some(point));
        if code == KILLED {
            assert_eq!(part.perform(project, None), part.code, "killed at {point}");
        } else {
            assert_eq!(code, part.code, "{point}");
        }
        assert_eq!(facts(project), expected, "killed at {point}");
        if part.code == 0 {
            let finished = assert_finished(project);
            assert_eq!(finished.commits, 2, "killed at {point}");
            assert_eq!(project.repository.read("mathkit/power.py"), POWERS);
            let commit = ["diff", "--name-only", "HEAD^", "HEAD"];
            let changed = project.repository.git(commit);
            assert_eq!(changed, "mathkit/power.py\ntests/test_power.py", "{point}");
        }
        if code != KILLED {
            break;
        }
    }
    assert!(point > part.fewest, "only {point} points in part {number}");
    // However it got here, it ends in one commit.
    for part in &parts[number + 1..] {
        assert_eq!(part.perform(project, None), part.code);
    }
    assert_eq!(assert_finished(project).commits, 2);
}

#[test]
fn a_run_killed_once_before_its_first_question_goes_on_as_if_it_had_not_been() {
    killed_once(&Project::judging(), &straight_on(), 0);
}

#[test]
fn a_run_killed_once_on_the_way_to_its_red_goes_on_as_if_it_had_not_been() {
    killed_once(&Project::judging(), &straight_on(), 1);
}

#[test]
fn a_run_killed_once_on_the_way_to_its_green_goes_on_as_if_it_had_not_been() {
    killed_once(&Project::judging(), &straight_on(), 2);
}

#[test]
fn a_run_killed_once_on_the_way_to_its_merge_ends_in_the_right_commit() {
    killed_once(&Project::judging(), &straight_on(), 3);
}

#[test]
fn a_run_killed_once_while_a_gate_finds_its_tests_at_fault_goes_on_as_if_it_had_not_been() {
    killed_once(&Project::new(), &back_from_the_gate(), 1);
}

#[test]
fn a_run_killed_once_while_its_tests_are_written_again_goes_on_as_if_it_had_not_been() {
    killed_once(&Project::new(), &back_from_the_gate(), 2);
}

#[test]
fn a_run_killed_once_on_the_way_to_the_merge_of_other_tests_ends_in_the_right_commit() {
    killed_once(&Project::new(), &back_from_the_gate(), 3);
}

#[test]
fn a_run_killed_once_while_its_model_disputes_the_tests_goes_on_as_if_it_had_not_been() {
    for number in [1, 2] {
        killed_once(&Project::new(), &back_by_the_model(), number);
    }
}

#[test]
fn a_run_killed_once_while_a_person_has_other_tests_written_goes_on_as_if_it_had_not_been() {
    killed_once(&Project::new(), &back_by_a_person(By::Words, 3), 1);
}

#[test]
fn a_run_killed_once_while_a_persons_own_tests_are_judged_goes_on_as_if_it_had_not_been() {
    killed_once(&Project::new(), &back_by_a_person(By::Edit, 130), 1);
}

#[test]
fn ctrl_c_while_the_tests_run_stops_them_at_once() {
    let project = Project::judging();
    project.repository.write(
        "tests/test_slow.py",
        "import time\n\n\ndef test_slow():\n    time.sleep(600)\n",
    );
    project.repository.commit_all("A slow suite");
    let mut terminal = project.run_at_terminal(&good(), &[]);
    terminal.expect("test_basic.py .");
    terminal.send_control('c');
    assert_eq!(terminal.wait(), 130, "{}", terminal.screen());
    let run = project.status();
    assert_eq!(run["state"], "running");
    assert_eq!(run["stage"], "load_context");
}

#[test]
fn ctrl_c_while_the_model_thinks_stops_at_once_and_the_run_resumes() {
    let project = Project::judging();
    let slow = Script::new()
        .reply(scaffold().delay_milliseconds(600_000))
        .reply(implement(POWERS));
    let mut terminal = project.run_at_terminal(&slow, &[]);
    terminal.expect("asking the model for tests");
    terminal.send_control('c');
    assert_eq!(terminal.wait(), 130, "{}", terminal.screen());
    assert!(
        terminal.screen().contains("proctor resume"),
        "{}",
        terminal.screen()
    );
    assert_eq!(project.status()["stage"], "scaffold");
    project.script(&good());
    assert_eq!(go_on(&project, None), 0);
    assert_finished(&project);
}

/// A Ctrl-C also reaches a process that is just being started; git's death is then not a failure of git.
#[test]
fn an_interrupt_that_also_kills_git_is_still_an_interrupt() {
    for command in ["cat-file", "worktree add", "rev-parse"] {
        let mut project = Project::judging();
        let pattern = format!("*'{command}'*");
        let killed = "kill -INT $PPID; kill -KILL $$";
        project.environment.pretend_git(&pattern, killed);
        let output = project.run(&good(), &["--format", "json"]);
        output.expect_code(130);
        assert_eq!(output.json()["error"]["kind"], "interrupted", "{command}");
    }
}

#[test]
fn ctrl_c_at_the_question_decides_nothing() {
    let project = Project::judging();
    let mut terminal = project.run_at_terminal(&good(), &[]);
    terminal.expect(PROMPT);
    terminal.send_control('c');
    says(&mut terminal, 130, "interrupted");
    assert_eq!(project.status()["stage"], "review");
    let mut terminal = project.environment.proctor_on_terminal(["resume"]);
    approve(&mut terminal);
}

#[test]
fn nothing_that_the_tests_started_survives_a_killed_proctor() {
    let project = Project::judging();
    let marker = format!("proctor-test-{}", std::process::id());
    project.repository.write(
        "tests/test_slow.py",
        format!("import time\n\n\ndef test_slow():\n    name = '{marker}'\n    time.sleep(600)\n"),
    );
    project.repository.commit_all("A slow suite");
    let mut terminal = project.run_at_terminal(&good(), &[]);
    terminal.expect("test_basic.py .");
    let children = || {
        let list = Command::new("ps")
            .args(["-eo", "pid,args"])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&list.stdout).into_owned();
        let worktree = project.environment.state_directory().display().to_string();
        text.lines()
            .filter(|line| line.contains(&worktree) && line.contains("pytest"))
            .count()
    };
    assert!(
        children() > 0,
        "the runner, and the helper that looks after it"
    );
    let pid = std::fs::read_dir(project.repository.path().join(".git/proctor/locks"))
        .unwrap()
        .flatten()
        .find_map(|entry| std::fs::read_to_string(entry.path()).ok())
        .unwrap();
    let killed = Command::new("kill")
        .args(["-9", pid.trim()])
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(terminal.wait(), KILLED);
    // The helper ends the runner when Proctor is gone; wait for it without a clock.
    while children() > 0 {
        std::thread::yield_now();
    }
}
