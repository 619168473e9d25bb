//! The sandbox with real processes, at every level that this machine has.
//!
//! This test program is the helper too, so it has no harness of its own: the harness would take
//! `__exec` for a filter. Run by root, it also runs itself again as a user without rights.

mod choice;
mod files;
mod processes;
mod programs;
mod reach;
mod world;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use proctor_host::process::{HELPER_WORD, SandboxLevel, helper_main};

use world::World;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == HELPER_WORD) {
        return match helper_main(words) {
            Ok(code) => ExitCode::from(code),
            Err(error) => {
                world::say(&error.to_string());
                ExitCode::from(127)
            }
        };
    }
    let mut trials = Vec::new();
    for (level, name) in world::levels() {
        let confined = level != SandboxLevel::Off;
        for (test, only_confined, body) in AT_EACH_LEVEL {
            if confined || !only_confined {
                let title = format!("{name}::{}", test.replace(' ', ""));
                trials.push(Trial::test(title, move || {
                    passed(|| body(&World::new(level)))
                }));
            }
        }
    }
    for (test, body) in ONCE {
        trials.push(Trial::test(test.replace(' ', ""), move || passed(body)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "what a trial has to return; a test fails by panicking"
)]
fn passed(body: impl FnOnce()) -> Result<(), Failed> {
    body();
    Ok(())
}

type AtEachLevel = (&'static str, bool, fn(&World));

type Once = (&'static str, fn());

/// A test's own name is its title.
macro_rules! once {
    ($test:path) => {
        (stringify!($test), $test)
    };
}
macro_rules! confined {
    ($test:path) => {
        (stringify!($test), true, $test)
    };
}
macro_rules! always {
    ($test:path) => {
        (stringify!($test), false, $test)
    };
}

const AT_EACH_LEVEL: &[AtEachLevel] = &[
    confined!(files::only_scratch_can_be_written),
    confined!(files::credentials_and_hidden_directories_cannot_be_read),
    confined!(files::what_is_readable_in_a_hidden_directory_stays_so),
    confined!(reach::no_port_of_the_machine_can_be_reached),
    confined!(reach::loopback_works_only_in_a_network_of_its_own),
    confined!(reach::no_service_on_a_unix_socket_can_be_reached),
    confined!(reach::no_environment_but_the_jobs_own_can_be_read),
    confined!(reach::neither_proctor_nor_the_supervisor_can_be_signalled),
    confined!(reach::the_kernels_back_doors_are_shut),
    always!(reach::there_is_no_terminal),
    always!(processes::exit_codes_and_signals_are_told_as_they_were),
    always!(processes::a_daemon_is_gone_when_the_job_has_ended),
    always!(processes::a_daemon_is_gone_when_the_time_is_up),
    always!(processes::a_fork_bomb_ends_with_the_job),
    always!(processes::a_signal_to_its_own_group_ends_only_the_job),
    always!(processes::files_and_memory_have_limits),
    always!(processes::the_number_of_processes_has_a_limit),
    always!(processes::a_hundred_megabytes_of_output_stay_within_the_capture),
    always!(programs::records_arrive_and_cannot_be_read_back),
    always!(programs::input_arrives),
    always!(programs::a_virtual_environment_in_the_temporary_directory_works),
    always!(programs::pytest_runs_and_its_records_arrive),
];

const ONCE: &[Once] = &[
    once!(choice::what_is_missing_is_said),
    once!(choice::without_bubblewrap_landlock_is_chosen),
    once!(choice::a_sandbox_that_does_not_hold_is_not_believed),
    once!(choice::a_job_is_not_started_unconfined_for_want_of_a_helper),
    once!(choice::what_a_sandbox_costs),
    once!(choice::a_helper_behind_a_link_is_tried_again_and_works),
    once!(choice::everything_holds_for_a_user_without_rights_too),
];
