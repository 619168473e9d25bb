//! The re-executed helper, with this very test program as the helper.
//!
//! It has no test harness, because the harness would take `__exec` for a filter: the program is
//! the helper, the parent that gets killed, or the test, by its first argument.

use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use proctor_core::test_outcome::Exit;
use proctor_host::process::{Finished, HELPER_WORD, Interrupt, Job, Launcher, helper_main, watch};

const PARENT_WORD: &str = "parent";
const DESCRIPTORS_WORD: &str = "descriptors";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    match arguments
        .next()
        .as_deref()
        .and_then(std::ffi::OsStr::to_str)
    {
        Some(HELPER_WORD) => match helper_main(arguments) {
            Ok(code) => ExitCode::from(code),
            Err(error) => {
                std::io::Write::write_all(&mut std::io::stderr(), error.to_string().as_bytes())
                    .expect("standard error is open");
                ExitCode::from(127)
            }
        },
        Some(PARENT_WORD) => {
            let fifo = arguments.next().expect("path of the pipe");
            // One that stays and one that goes away as far as it can.
            let script = format!(
                "exec >{}; setsid sleep 1000 & exec sleep 1000",
                PathBuf::from(fifo).display()
            );
            run(&script, &Launcher::through(this_program()));
            ExitCode::SUCCESS
        }
        Some(DESCRIPTORS_WORD) => {
            let finished = run("ls /proc/self/fd", &Launcher::through(this_program()));
            std::io::Write::write_all(&mut std::io::stdout(), &finished.output.bytes())
                .expect("standard output is open");
            ExitCode::SUCCESS
        }
        _ => {
            job_leads_a_session_of_its_own();
            timeout_kills_through_the_helper();
            wrong_parent_is_refused();
            job_dies_with_its_parent();
            descriptors_of_the_parent_do_not_reach_the_job();
            ExitCode::SUCCESS
        }
    }
}

fn this_program() -> PathBuf {
    std::env::current_exe().expect("path of the test program")
}

fn job(script: &str) -> Job {
    let mut job = Job::new("sh", "/", Duration::from_mins(5));
    job.arguments = vec!["-c".into(), script.into()];
    job.environment = vec![("PATH".into(), "/usr/bin:/bin".into())];
    job
}

fn run(script: &str, launcher: &Launcher) -> Finished {
    watch(&job(script), launcher, &Interrupt::never(), &mut |_| {}).expect("job runs")
}

fn job_leads_a_session_of_its_own() {
    let launcher = Launcher::through(this_program());
    // Fields 4, 5 and 6 of the process's state: its parent, its group, its session.
    let finished = run("cut -d' ' -f4,5,6 /proc/$$/stat; env", &launcher);
    let text = finished.output.text();
    let ids: Vec<&str> = text.lines().next().expect("one line").split(' ').collect();
    assert_eq!(finished.exit, Exit::Code(0));
    assert_eq!(
        (ids[0], ids[0]),
        (ids[1], ids[2]),
        "the supervisor's: {text}"
    );
    assert!(
        !text.contains("CARGO"),
        "nothing but the given environment: {text}"
    );
}

fn timeout_kills_through_the_helper() {
    let mut job = job("sleep 1000 & sleep 1000");
    job.timeout = Duration::from_millis(300);
    let launcher = Launcher::through(this_program());
    let finished = watch(&job, &launcher, &Interrupt::never(), &mut |_| {}).expect("job runs");
    assert_eq!(finished.exit, Exit::TimedOut);
}

fn wrong_parent_is_refused() {
    let helper = this_program();
    let script = format!(
        "{} {HELPER_WORD} supervise -- echo started; :",
        helper.display()
    );
    let finished = run(&script, &Launcher::plain());
    assert!(
        finished.output.text().contains("is gone"),
        "{}",
        finished.output.text()
    );
}

fn job_dies_with_its_parent() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let directory = tempfile::tempdir().expect("temporary directory");
    let fifo = directory.path().join("pipe");
    let fifo_name = fifo.display();
    let parent = this_program();
    assert_eq!(
        run(&format!("mkfifo {fifo_name}"), &Launcher::plain()).exit,
        Exit::Code(0)
    );
    let mut reader = std::thread::scope(|scope| {
        let opened = scope.spawn(|| std::fs::File::open(&fifo).expect("pipe opens"));
        // The parent is killed as soon as its job has the pipe open; only the job holds it then.
        let script = format!(
            "{} {PARENT_WORD} {fifo_name} & until ls -l /proc/[0-9]*/fd/1 2>/dev/null | \
             grep -q {fifo_name}; do :; done; kill -9 $!",
            parent.display()
        );
        let job = job(&script);
        let finished = watch(&job, &Launcher::plain(), &Interrupt::never(), &mut |_| {});
        assert_eq!(finished.expect("job runs").exit, Exit::Code(0));
        opened.join().expect("pipe opens")
    });
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).expect("end of the pipe");
    assert_eq!(rest, b"");
}

fn descriptors_of_the_parent_do_not_reach_the_job() {
    let script = format!(
        "exec 9</etc/passwd; {} {DESCRIPTORS_WORD}; ls /proc/self/fd | grep 9",
        this_program().display()
    );
    let text = run(&script, &Launcher::plain()).output.text();
    // 3 is the directory that is being listed; the second 9 shows that the shell had it.
    assert_eq!(text, "0\n1\n2\n3\n9\n");
}
