//! Real processes: the promises of `process` about ending, capturing and environment.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use proctor_core::test_outcome::Exit;
use proctor_host::process::{
    Finished, Interrupt, Job, Launcher, ProcessError, Tool, find_program, watch,
};

const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
const LONG: Duration = Duration::from_mins(5);

fn shell(script: &str) -> Job {
    let mut job = Job::new("sh", "/", LONG);
    job.arguments = vec!["-c".into(), script.into()];
    job.environment = vec![("PATH".into(), PATH.into())];
    job
}

fn python(script: &str) -> Job {
    let mut job = shell(script);
    job.program = "python3".into();
    job
}

fn run(job: &Job) -> Finished {
    watch(job, &Launcher::plain(), &Interrupt::never(), &mut |_| {}).expect("job runs")
}

fn named_pipe(directory: &Path) -> std::path::PathBuf {
    let fifo = directory.join("pipe");
    assert_eq!(
        run(&shell(&format!("mkfifo {}", fifo.display()))).exit,
        Exit::Code(0)
    );
    fifo
}

#[test]
fn exit_code_and_signal_are_told_apart() {
    assert_eq!(run(&shell("exit 7")).exit, Exit::Code(7));
    assert_eq!(run(&shell("kill -9 $$")).exit, Exit::Signal(9));
}

#[test]
fn timeout_kills_the_grandchildren_too() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let fifo = named_pipe(directory.path());
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || std::fs::read(fifo)
    });
    let mut job = shell(&format!(
        "sh -c 'sleep 1000; :' > {} & sleep 1000",
        fifo.display()
    ));
    // The grandchild has to have opened the pipe by then, or the reader waits for ever.
    job.timeout = Duration::from_secs(5);
    let finished = run(&job);
    assert_eq!(finished.exit, Exit::TimedOut);
    assert!(finished.elapsed < LONG);
    assert_eq!(reader.join().expect("reader").expect("end of pipe"), b"");
}

#[test]
fn what_a_successful_job_leaves_in_its_group_is_killed() {
    let directory = tempfile::tempdir().expect("temporary directory");
    let fifo = named_pipe(directory.path());
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || std::fs::read(fifo)
    });
    let finished = run(&shell(&format!(
        "exec 3>{}; sleep 1000 & echo started",
        fifo.display()
    )));
    assert_eq!(finished.exit, Exit::Code(0));
    assert_eq!(finished.output.text(), "started\n");
    assert_eq!(reader.join().expect("reader").expect("end of pipe"), b"");
}

#[test]
fn output_beyond_the_limit_is_counted_and_not_kept() {
    let mut job =
        python("import sys\nfor _ in range(320): sys.stdout.write('x' * 100_000)\nprint('end')");
    job.capture_bytes = 1000;
    let mut longest = 0;
    let finished = watch(&job, &Launcher::plain(), &Interrupt::never(), &mut |line| {
        longest = longest.max(line.len());
    })
    .expect("job runs");
    assert_eq!(finished.output.omitted(), 32_000_004 - 1000);
    assert!(finished.output.text().ends_with("xend\n"));
    assert!(
        finished
            .output
            .text()
            .contains("[31999004 bytes of output omitted]")
    );
    assert!(longest < 5000, "a line without end is cut");
}

#[test]
fn both_streams_are_kept_in_the_order_they_were_written() {
    let mut lines = Vec::new();
    let job = shell("echo one; echo two >&2; echo three; printf four >&2");
    let finished = watch(&job, &Launcher::plain(), &Interrupt::never(), &mut |line| {
        lines.push(line.to_owned());
    })
    .expect("job runs");
    assert_eq!(finished.output.text(), "one\ntwo\nthree\nfour");
    assert_eq!(lines, ["one", "two", "three", "four"]);
}

#[test]
fn standard_output_can_be_kept_apart() {
    let mut job = shell("echo reply; echo progress >&2");
    job.separate_stdout = true;
    let finished = run(&job);
    assert_eq!(finished.stdout.text(), "reply\n");
    assert_eq!(finished.output.text(), "progress\n");
}

#[test]
fn a_pipe_held_by_an_escaped_grandchild_does_not_delay_the_end() {
    let finished = run(&python(
        "import os, subprocess\n\
         child = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n\
         print(child.pid)",
    ));
    assert_eq!(finished.exit, Exit::Code(0));
    assert!(finished.elapsed < Duration::from_secs(30));
    let escaped = finished.output.text().trim().to_owned();
    assert_eq!(
        run(&shell(&format!("kill -9 {escaped}"))).exit,
        Exit::Code(0)
    );
}

#[test]
fn environment_is_exactly_what_was_given() {
    let mut job = shell("");
    job.program = "/usr/bin/env".into();
    job.arguments.clear();
    job.environment = vec![("ONE".into(), "1".into()), ("TWO".into(), "zwei".into())];
    assert_eq!(run(&job).output.text(), "ONE=1\nTWO=zwei\n");
}

#[test]
fn input_is_fed_and_may_be_ignored() {
    let mut job = shell("cat");
    job.input = Some(vec![b'x'; 300_000]);
    assert_eq!(run(&job).output.bytes().len(), 300_000);
    job.arguments[1] = "exit 0".into();
    assert_eq!(run(&job).exit, Exit::Code(0));
    job.arguments[1] = "cat".into();
    job.input = None;
    assert_eq!(run(&job).output.text(), "");
}

#[test]
fn interruption_kills_the_job() {
    let interrupt = Interrupt::never();
    let result = watch(
        &shell("echo begun; sleep 1000"),
        &Launcher::plain(),
        &interrupt.clone(),
        &mut |_| interrupt.set(),
    );
    assert!(matches!(result, Err(ProcessError::Interrupted)));
}

#[test]
fn a_panic_in_the_callback_does_not_hang() {
    let result = std::panic::catch_unwind(|| {
        watch(
            &shell("echo begun; sleep 1000"),
            &Launcher::plain(),
            &Interrupt::never(),
            &mut |_| panic!("callback"),
        )
    });
    assert!(result.is_err());
}

#[test]
fn missing_program_and_missing_directory_have_their_own_errors() {
    let start = |job: &Job| watch(job, &Launcher::plain(), &Interrupt::never(), &mut |_| {});
    let mut job = shell("");
    job.program = "no-such-program-anywhere".into();
    assert!(matches!(start(&job), Err(ProcessError::NotFound { .. })));
    let mut job = shell("");
    job.directory = "/no/such/directory".into();
    assert!(matches!(start(&job), Err(ProcessError::NoDirectory { .. })));
}

#[test]
fn programs_are_found_on_the_given_path_only() {
    assert!(find_program(Path::new("sh"), PATH.as_ref(), Path::new("/")).is_some());
    assert!(find_program(Path::new("sh"), "/nowhere".as_ref(), Path::new("/")).is_none());
    assert!(find_program(Path::new("sh"), "bin:.".as_ref(), Path::new("/")).is_none());
    assert!(find_program(Path::new("bin/sh"), "".as_ref(), Path::new("/")).is_some());
}

#[test]
fn a_tool_is_fed_and_read_completely_at_once() {
    let output = Tool::new("sh", "/")
        .arguments(["-c", "cat; head -c 300000 /dev/zero >&2; exit 3"])
        .variable("PATH", PATH)
        .input(vec![b'y'; 1_000_000])
        .capture()
        .expect("tool runs");
    assert_eq!(output.code, Some(3));
    assert_eq!(
        (output.stdout.len(), output.stderr.len()),
        (1_000_000, 300_000)
    );
}

#[test]
fn a_tool_that_does_not_read_its_input_is_no_error() {
    let output = Tool::new("true", "/")
        .variables([(OsString::from("PATH"), OsString::from(PATH))])
        .input(vec![b'y'; 1_000_000])
        .capture()
        .expect("tool runs");
    assert!(output.success());
}
