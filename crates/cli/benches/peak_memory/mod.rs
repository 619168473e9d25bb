//! The peak of a process's own memory.

use std::process::{Command, Stdio};
use std::time::Duration;

/// Runs a command that is to end with a code, and returns its own peak in kilobytes: `VmHWM` only ever
/// grows, so the last look before the end is the peak.
pub(crate) fn watched_peak(command: &mut Command, code: i32) -> u32 {
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut peak = 0;
    loop {
        if let Some(ended) = child.try_wait().unwrap() {
            assert_eq!(ended.code(), Some(code));
            return peak;
        }
        peak = peak.max(peak_of(child.id()));
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The peak of a process so far, in kilobytes; 0 once it is gone.
pub(crate) fn peak_of(process: u32) -> u32 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse().ok())
        .unwrap_or(0)
}
