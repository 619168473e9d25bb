//! The cost of the gates beyond the runs of pytest that they need, and of a sandbox, as ratios in the same run.
//!
//! `cargo bench -p proctor-cli --bench gate` prints a line per measurement with its limit. The peers are the time of
//! the runner's processes as the evidence has it, and, because that is Proctor's own clock, as many runs of plain
//! pytest on the same tests. The limit for a whole verdict is processor time, all processes together.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a bench prints its result and sets up the world that it measures"
)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use proctor_host::process::{
    Confinement, Interrupt, Job, Launcher, Sandbox, SandboxLevel, SandboxMode, watch,
};
use proctor_testkit::{Repository, TestEnvironment, link_packages, pytest_python};
use serde_json::Value;

const REPEATS: usize = 5;
const NEW_TESTS: &str = "tests/test_power.py";

fn main() {
    println!(
        "{:<99} {:>10} {:>10} {:>8}  limit",
        "measurement", "measured", "peer", "ratio"
    );
    guard("tiny project", 0, None);
    guard("500 tests of 5 ms", 500, Some(2));
    gates("tiny project", 0, 1);
    gates("200 tests, 2,000 files", 2_000, 200);
    gates("500 tests", 0, 500);
    typescript();
    sandboxes();
}

/// A line, unless there is nothing to compare with: a cached verdict runs no test.
fn row(name: &str, measured: Duration, peer: Duration, limit: &str) {
    if peer.is_zero() {
        return;
    }
    println!(
        "{name:<99} {:>8.0}ms {:>8.0}ms {:>8.2}  {limit}",
        measured.as_secs_f64() * 1e3,
        peer.as_secs_f64() * 1e3,
        measured.as_secs_f64() / peer.as_secs_f64()
    );
}

fn median(mut values: Vec<Duration>) -> Duration {
    values.sort();
    values[values.len() / 2]
}

/// A project with an honest change in its checkout.
fn project(environment: &TestEnvironment, files: usize, tests: usize) -> Repository {
    let repository = environment.init_repository();
    for number in 0..files {
        let path = format!("data/d{:03}/f{number:04}.txt", number / 100);
        repository.write(path, format!("file number {number}\n").repeat(20));
    }
    repository.write("mathkit/__init__.py", "");
    repository.write("mathkit/basic.py", "def add(x, y):\n    return x + y\n");
    for file in 0..tests.div_ceil(20) {
        let mut text = "from mathkit.basic import add\n".to_owned();
        for number in 0..tests.min(20) {
            let _ = write!(
                text,
                "\n\ndef test_add_{number}():\n    assert add({number}, {file}) == {}\n",
                number + file
            );
        }
        repository.write(format!("tests/test_basic_{file}.py"), text);
    }
    repository.do_without_mutants();
    repository.commit_all("A project");
    repository.write(
        NEW_TESTS,
        "from mathkit.power import cube, square\n\n\ndef test_square():\n    assert square(3) == 9\n\n\ndef test_cube():\n    assert cube(3) == 27\n",
    );
    repository.write(
        "mathkit/power.py",
        "def square(x):\n    return x * x\n\n\ndef cube(x):\n    return x * x * x\n",
    );
    repository
}

/// One gate, several times.
struct Measured {
    title: String,
    wall: Duration,
    /// The runs of the tests in it, by Proctor's own clock.
    recorded: Duration,
    /// As much as all of them took elsewhere, by the bench's clock.
    plain: Duration,
    /// Processor time of all processes.
    cost: Duration,
}

/// The cached facts before a gate runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// The suite at the base, as it is where the last change was judged before it was committed.
    Base,
    /// The verdict itself.
    Everything,
}

/// Red and green, as a person or an agent would ask for them. Mutants have a budget of their own.
fn measured(
    environment: &mut TestEnvironment,
    repository: &Repository,
    (name, tests): (&str, &str),
    plain_run: &dyn Fn(&Value) -> Duration,
) -> Vec<Measured> {
    let known = environment.root().join("known");
    environment.set_variable("PROCTOR_CACHE_DIR", &known);
    let gates = [
        ("red", Known::Nothing),
        ("green", Known::Nothing),
        ("green", Known::Base),
        ("green", Known::Everything),
    ];
    let ask = |colour: &str| {
        let output = environment.proctor(["gate", colour, "--format", "json"]);
        output.expect_code(0);
        output.json()
    };
    let measure = |(colour, knowing): (&str, Known)| {
        let (mut walls, mut recorded, mut plain) = (Vec::new(), Vec::new(), Vec::new());
        let mut costs = Vec::new();
        let mut count = 0;
        for _ in 0..REPEATS {
            // Proctor's programs stay compiled: that happens once for an interpreter.
            if knowing != Known::Everything {
                let _ = std::fs::remove_dir_all(known.join("judged"));
            }
            if knowing == Known::Base {
                // Other tests have another red, on the same base.
                let text = repository.read(tests);
                repository.write(tests, format!("{text}\n\n"));
                ask("red");
                repository.write(tests, text);
            }
            let (before, cost) = (Instant::now(), processor_time());
            let verdict = ask(colour);
            walls.push(before.elapsed());
            costs.push(processor_time().saturating_sub(cost));
            let runs = verdict["runs"].as_array().unwrap();
            count = runs.len();
            recorded.push(runs.iter().map(elapsed).sum());
            plain.push(runs.iter().map(plain_run).sum());
        }
        let knowing = match knowing {
            Known::Nothing => "",
            Known::Base => " on a known base",
            Known::Everything => " again",
        };
        Measured {
            title: format!("gate {colour}{knowing}, {name}, {count} runs"),
            wall: median(walls),
            recorded: median(recorded),
            plain: median(plain),
            cost: median(costs),
        }
    };
    gates.into_iter().map(measure).collect()
}

fn gates(name: &str, files: usize, tests: usize) {
    let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    environment.use_pytest();
    let repository = project(&environment, files, tests);
    let plain = |run: &Value| plain_run(&repository, run);
    for gate in measured(&mut environment, &repository, (name, NEW_TESTS), &plain) {
        let title = &gate.title;
        row(
            &format!("{title}: against those runs"),
            gate.wall,
            gate.recorded,
            "1.25",
        );
        row(
            &format!("{title}: against plain pytest"),
            gate.wall,
            gate.plain,
            "none",
        );
        let suite = (0..REPEATS).map(|_| {
            let before = processor_time();
            plain_suite(&repository, &[]);
            processor_time().saturating_sub(before)
        });
        row(
            &format!("{title}: processor time against 3 s and three plain suites"),
            gate.cost,
            Duration::from_secs(3) + 3 * median(suite.collect()),
            "1.0",
        );
    }
}

/// What an agent waits for: the red before its first edit, on a project that was never judged, and the green at its end.
/// Both beside twice the suite or, where the suite takes no time, beside 2 s of processor time and 4 s.
fn guard(name: &str, tests: usize, suites: Option<u32>) {
    let (mut costs, mut walls) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    let mut plain = Vec::new();
    for _ in 0..REPEATS {
        let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
        environment.use_pytest();
        let repository = project(&environment, 0, tests);
        if tests > 0 {
            let slow =
                "def add(x, y):\n    for _ in range(200_000):\n        pass\n    return x + y\n";
            repository.write("mathkit/basic.py", slow);
            repository.git(["commit", "--quiet", "-m", "Slow", "mathkit/basic.py"]);
        }
        if suites.is_some() {
            let before = processor_time();
            plain_suite(&repository, &["--ignore", NEW_TESTS]);
            plain.push(processor_time().saturating_sub(before));
        }
        let source = "mathkit/power.py";
        let code = repository.read(source);
        std::fs::remove_file(repository.path().join(source)).unwrap();
        for (step, event) in ["PreToolUse", "Stop"].into_iter().enumerate() {
            if event == "Stop" {
                repository.write(source, &code);
            }
            let message = serde_json::json!({
                "hook_event_name": event, "cwd": repository.path(), "tool_name": "Write",
                "tool_input": {"file_path": repository.path().join(source), "content": ""},
            });
            let (started, before) = (Instant::now(), processor_time());
            let answer = hook(&environment, &message);
            walls[step].push(started.elapsed());
            costs[step].push(processor_time().saturating_sub(before));
            assert!(
                !answer.contains("deny") && !answer.contains("block"),
                "{event}: {answer}"
            );
        }
    }
    for ((what, cost), wall) in ["red", "green"].into_iter().zip(costs).zip(walls) {
        let (cost, wall) = (median(cost), median(wall));
        if let Some(times) = suites {
            let title = format!("guard {what}, {name}: processor time against {times} suites");
            row(&title, cost, times * median(plain.clone()), "1.0");
        } else {
            let title = format!("guard {what}, {name}: processor time against 2 s");
            row(&title, cost, Duration::from_secs(2), "1.0");
            let title = format!("guard {what}, {name}: against 4 s");
            row(&title, wall, Duration::from_secs(4), "1.0");
        }
    }
}

/// The answer of Claude Code's hook.
fn hook(environment: &TestEnvironment, message: &Value) -> String {
    let mut command = environment.proctor_command(["guard", "hook", "claude-code"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(message.to_string().as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The same in a project of TypeScript, against the runs of vitest that the gates need.
fn typescript() {
    let mut environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    let repository = environment.init_repository();
    let package = r#"{"name": "kit", "type": "module", "private": true, "scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "^4"}}"#;
    repository.write("package.json", package);
    repository.write(".gitignore", "node_modules\n");
    repository.write(
        "src/add.ts",
        "export const add = (x: number, y: number) => x + y;\n",
    );
    repository.write(
        "src/add.test.ts",
        "import { expect, it } from 'vitest';\nimport { add } from './add';\n\nit('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n",
    );
    repository.do_without_mutants();
    if let Err(reason) = link_packages(repository.path()) {
        println!("SKIPPED: TypeScript, {reason}");
        return;
    }
    repository.commit_all("A project");
    repository.write(
        "src/power.test.ts",
        "import { expect, it } from 'vitest';\nimport { square } from './power';\n\nit('squares', () => {\n  expect(square(3)).toBe(9);\n});\n",
    );
    repository.write(
        "src/power.ts",
        "export const square = (x: number) => x * x;\n",
    );
    let tests = ("vitest", "src/power.test.ts");
    for gate in measured(&mut environment, &repository, tests, &elapsed) {
        let title = format!("{}: against those runs", gate.title);
        row(&title, gate.wall, gate.recorded, "1.3");
    }
}

/// The processor time of this process's children, and theirs, so far.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // After the name, which may hold anything, come the state and then numbers.
    let (_, numbers) = stat.rsplit_once(')').unwrap();
    let numbers: Vec<&str> = numbers.split_whitespace().collect();
    let ticks: u64 = numbers[13..15]
        .iter()
        .map(|number| number.parse::<u64>().unwrap())
        .sum();
    Duration::from_millis(ticks * 10)
}

fn elapsed(run: &Value) -> Duration {
    Duration::from_millis(run["elapsed_ms"].as_u64().unwrap())
}

/// The same tests in the checkout, without Proctor; without bytecode too, because each of its runs starts from clean bytes.
fn plain_run(repository: &Repository, run: &Value) -> Duration {
    let whole = run["what"].as_str().unwrap().starts_with("the suite");
    plain_suite(repository, if whole { &[] } else { &[NEW_TESTS] })
}

fn plain_suite(repository: &Repository, select: &[&str]) -> Duration {
    let mut command = Command::new(pytest_python());
    command
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .args(select)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(repository.path());
    let before = Instant::now();
    let output = command.output().unwrap();
    let taken = before.elapsed();
    assert!(output.status.success(), "{output:?}");
    taken
}

/// A program that does nothing, under each sandbox that there is, less the same without one.
fn sandboxes() {
    let launcher = Launcher::through(PathBuf::from(env!("CARGO_BIN_EXE_proctor")));
    let environment = std::env::vars_os().collect();
    let start = |job: &Job| {
        let taken: Vec<Duration> = (0..REPEATS * 5)
            .map(|_| {
                let before = Instant::now();
                watch(job, &launcher, &Interrupt::never(), &mut |_| {}).unwrap();
                before.elapsed()
            })
            .collect();
        median(taken)
    };
    let mut job = Job::new("/bin/true", "/", Duration::from_mins(1));
    let plain = start(&job);
    for mode in [SandboxMode::Bubblewrap, SandboxMode::Landlock] {
        match Sandbox::choose(mode, &launcher, &environment) {
            Err(reason) => println!("SKIPPED: {reason}"),
            Ok(sandbox) => {
                let level = sandbox.level();
                assert_ne!(level, SandboxLevel::Off);
                job.confinement = Some(Confinement::new(sandbox));
                row(
                    &format!("start of {level} beyond a plain start, against 50 ms"),
                    start(&job).saturating_sub(plain),
                    Duration::from_millis(50),
                    "1.0",
                );
            }
        }
    }
}
