//! A real terminal with a test at its keyboard.
//!
//! Proctor takes an approval from nothing else, so the whole workflow can only be tested through
//! one. A thread reads the terminal and hands over what it saw: waiting costs no processor time,
//! which matters when many such tests share a machine.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use expectrl::process::unix::WaitStatus;
use expectrl::session::OsSession;

/// How long a text may take to appear, and a program to end.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long to listen between two looks at whether the program has ended.
const LISTENING: Duration = Duration::from_millis(20);

/// The terminal's size.
const COLUMNS: u16 = 100;
const LINES: u16 = 30;

/// Holds the program back until a line is typed, which happens once the terminal has its size: the
/// library sets a size of its own at a moment that the program would otherwise race with.
///
/// A test that runs in the background may have been started with the interrupt signal ignored, and
/// programs inherit that; where `env` knows how, the program gets all signals as on a real terminal.
const START_AT_SIGNAL: &str = r#"
read -r signal || exit
if env --default-signal true 2>/dev/null; then
    exec env --default-signal "$0" "$@"
fi
exec "$0" "$@"
"#;

/// A program on a terminal of 100 columns and 30 lines, without echo of what is typed.
///
/// Dropping it ends the program.
#[derive(Debug)]
pub struct Terminal {
    session: OsSession,
    output: Receiver<Vec<u8>>,
    seen: Vec<u8>,
    size: (u16, u16),
    // Where the bytes begin that the screen of this size shows.
    drawn_from: usize,
    // How much of the screen's text earlier expectations have used up.
    matched: usize,
    exit_code: Option<i32>,
}

impl Terminal {
    /// Starts a program on a terminal of its own.
    ///
    /// It gets the program, arguments, directory and variables that `command` names, and no variable
    /// of the test process.
    #[track_caller]
    pub fn spawn(command: &Command) -> Self {
        let mut held_back = Command::new("/bin/sh");
        held_back
            .args(["-c", START_AT_SIGNAL])
            .arg(command.get_program())
            .args(command.get_args())
            .env_clear()
            .envs(
                command
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            );
        if let Some(directory) = command.get_current_dir() {
            held_back.current_dir(directory);
        }
        let mut session = OsSession::spawn(held_back)
            .unwrap_or_else(|error| panic!("{command:?} does not start on a terminal: {error}"));
        session
            .get_process_mut()
            .set_window_size(COLUMNS, LINES)
            .expect("the terminal is open");
        let mut reader = session
            .get_process()
            .get_raw_handle()
            .expect("the terminal is open");
        let (sender, output) = channel();
        // Ends by itself: reading fails as soon as no program has the terminal open.
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length) = reader.read(&mut buffer) {
                if length == 0 || sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        let mut terminal = Self {
            session,
            output,
            seen: Vec::new(),
            size: (COLUMNS, LINES),
            drawn_from: 0,
            matched: 0,
            exit_code: None,
        };
        terminal.send_line("");
        terminal
    }

    /// Waits until `text` appears after what earlier expectations matched.
    #[track_caller]
    pub fn expect(&mut self, text: &str) {
        self.expect_within(text, PATIENCE);
    }

    /// As [`Self::expect`], for what takes longer, such as a whole test run.
    #[track_caller]
    pub fn expect_within(&mut self, text: &str, patience: Duration) {
        if !self.look_for(text, patience) {
            self.fail(&format!("the program ended and {text:?} did not appear"));
        }
    }

    /// Waits until `text` is shown, or the program ends: then its exit code.
    #[track_caller]
    pub fn expect_or_end(&mut self, text: &str) -> Option<i32> {
        if self.look_for(text, PATIENCE) {
            return None;
        }
        Some(self.wait())
    }

    /// Whether `text` is shown before the program ends.
    #[track_caller]
    fn look_for(&mut self, text: &str, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            let shown = plain(&self.seen);
            if let Some(position) = find(&shown[self.matched..], text.as_bytes()) {
                self.matched += position + text.len();
                return true;
            }
            let remaining = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(remaining) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(RecvTimeoutError::Timeout) => {
                    self.fail(&format!("{text:?} did not appear within {patience:?}"))
                }
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
    }

    /// Types a line and presses Enter.
    #[track_caller]
    pub fn send_line(&mut self, line: &str) {
        // What the key sends; the terminal makes a line feed of it.
        self.send(format!("{line}\r").as_bytes());
    }

    /// Types exactly these bytes.
    #[track_caller]
    pub fn send(&mut self, bytes: &[u8]) {
        let sent = self
            .session
            .write_all(bytes)
            .and_then(|()| self.session.flush());
        if let Err(error) = sent {
            self.fail(&format!("nothing could be typed: {error}"));
        }
    }

    /// Presses Control and a letter: `c` interrupts, `d` is the end of input.
    #[track_caller]
    pub fn send_control(&mut self, letter: char) {
        assert!(letter.is_ascii_lowercase(), "{letter:?} is not a letter");
        self.send(&[letter as u8 - b'a' + 1]);
    }

    /// The program's process, for who wants to know what it takes.
    pub fn process_id(&self) -> i32 {
        self.session.get_process().pid().as_raw()
    }

    /// Everything that was shown so far, without escape sequences, one line break per line.
    pub fn screen(&mut self) -> String {
        self.seen.extend(self.output.try_iter().flatten());
        String::from_utf8_lossy(&plain(&self.seen)).into_owned()
    }

    /// Everything that was shown so far, byte by byte as the terminal got it.
    pub fn raw_output(&mut self) -> &[u8] {
        self.seen.extend(self.output.try_iter().flatten());
        &self.seen
    }

    /// Gives the terminal another size, as dragging a window's corner does. What is on the screen is then forgotten:
    /// [`Self::display`] shows what the program draws from now on.
    #[track_caller]
    pub fn resize(&mut self, columns: u16, lines: u16) {
        self.seen.extend(self.output.try_iter().flatten());
        self.drawn_from = self.seen.len();
        self.size = (columns, lines);
        let process = self.session.get_process_mut();
        process
            .set_window_size(columns, lines)
            .expect("the terminal is open");
    }

    /// What a person sees now: the rows of the screen after all that was drawn and overdrawn.
    pub fn display(&mut self) -> String {
        self.seen.extend(self.output.try_iter().flatten());
        let (columns, lines) = self.size;
        let some = |number| NonZero::new(number).expect("a screen has lines and columns");
        let mut parser = vt100::Parser::new(some(lines), some(columns), 0);
        parser.process(&self.seen[self.drawn_from..]);
        parser.screen().contents()
    }

    /// Waits until a person sees all of `texts` at once.
    #[track_caller]
    pub fn expect_display(&mut self, texts: &[&str]) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let display = self.display();
            if texts.iter().all(|text| display.contains(text)) {
                return;
            }
            let remaining = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(remaining) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(error) => panic!("{error}: {texts:?} are not on the screen:\n{display}\n---"),
            }
        }
    }

    /// Waits for the program to end and returns its exit code; 128 and the signal's number if a
    /// signal ended it.
    #[track_caller]
    pub fn wait(&mut self) -> i32 {
        self.wait_within(PATIENCE)
    }

    /// As [`Self::wait`], for a program that takes longer.
    #[track_caller]
    pub fn wait_within(&mut self, patience: Duration) -> i32 {
        let deadline = Instant::now() + patience;
        let mut connected = true;
        let code = loop {
            if let Some(code) = self.look_for_exit_code() {
                break code;
            }
            if Instant::now() >= deadline {
                self.fail(&format!("the program did not end within {patience:?}"));
            }
            if connected {
                connected = self.listen();
            } else {
                // It closed the terminal before it ended; there is nothing left to listen to.
                thread::sleep(LISTENING);
            }
        };
        // The last output may still be on its way. A child that was left behind can keep the
        // terminal open for ever, so silence ends this too.
        while connected && Instant::now() < deadline {
            let before = self.seen.len();
            connected = self.listen() && self.seen.len() > before;
        }
        code
    }

    /// Takes in what is shown during a short while; false when no program has the terminal any more.
    fn listen(&mut self) -> bool {
        match self.output.recv_timeout(LISTENING) {
            Ok(bytes) => self.seen.extend(bytes),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        true
    }

    /// Remembers the exit code, because the system tells it only once.
    fn look_for_exit_code(&mut self) -> Option<i32> {
        if self.exit_code.is_none() {
            self.exit_code = match self.session.get_process().status() {
                Ok(WaitStatus::Exited(_, code)) => Some(code),
                Ok(WaitStatus::Signaled(_, signal, _)) => Some(128 + signal as i32),
                Ok(_) => None,
                Err(error) => self.fail(&format!("the program's state is unknown: {error}")),
            };
        }
        self.exit_code
    }

    #[track_caller]
    fn fail(&mut self, problem: &str) -> ! {
        let mut message = format!("{problem}\n--- on the screen so far\n");
        for line in self.screen().lines() {
            writeln!(message, "| {line}").expect("a string takes any text");
        }
        panic!("{message}---");
    }
}

/// Where `needle` begins in `text`.
fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    text.windows(needle.len())
        .position(|window| window == needle)
}

/// The text among the escape sequences, with each line ending in one line feed.
///
/// What is unfinished at the end is held back, so that the text only ever grows.
fn plain(seen: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(seen.len());
    let mut rest = seen;
    loop {
        rest = match rest {
            [] | [b'\r' | 0x1b] => return text,
            [b'\r', b'\n', after @ ..] | [b'\r', after @ ..] => {
                text.push(b'\n');
                after
            }
            // A control sequence ends with a byte from `@` to `~`.
            [0x1b, b'[', after @ ..] => {
                match after.iter().position(|byte| (0x40..=0x7e).contains(byte)) {
                    Some(end) => &after[end + 1..],
                    None => return text,
                }
            }
            // A command to the terminal's own system ends with BEL or with ESC and a backslash.
            [0x1b, b']', after @ ..] => {
                let bell = after.iter().position(|byte| *byte == 0x07);
                let terminator = find(after, b"\x1b\\");
                match (bell, terminator) {
                    (Some(end), None) => &after[end + 1..],
                    (Some(end), Some(other)) if end < other => &after[end + 1..],
                    (_, Some(end)) => &after[end + 2..],
                    (None, None) => return text,
                }
            }
            [0x1b, _, after @ ..] => after,
            [byte, after @ ..] => {
                text.push(*byte);
                after
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestEnvironment;

    fn shell(script: &str) -> Terminal {
        let environment = TestEnvironment::without_binary();
        let mut command = environment.command("sh");
        command.args(["-c", script]).current_dir("/");
        Terminal::spawn(&command)
    }

    #[test]
    fn a_typed_line_reaches_the_program_and_its_answer_the_test() {
        let environment = TestEnvironment::without_binary();
        let mut terminal = Terminal::spawn(&environment.command("cat"));
        terminal.send_line("hello");
        terminal.expect("hello\n");
        terminal.send_control('d');
        assert_eq!(terminal.wait(), 0);
        assert_eq!(terminal.screen(), "hello\n");
    }

    #[test]
    fn the_program_sees_a_terminal_of_known_size() {
        let mut terminal = shell("test -t 0 && test -t 1 && test -t 2 && stty size");
        terminal.expect("30 100\n");
        assert_eq!(terminal.wait(), 0);
    }

    #[test]
    fn the_display_is_what_is_left_after_everything_was_drawn() {
        let mut terminal = shell(
            r"printf 'one\ntwo\033[1;1HONE\033[?1049hother'; read line; printf '\033[?1049l'; stty size",
        );
        terminal.expect_display(&["other"]);
        assert_eq!(terminal.display(), "\n\nother".trim_start());
        terminal.send_line("");
        terminal.expect_display(&["ONE\ntwo"]);
        assert_eq!(terminal.wait(), 0);
    }

    #[test]
    fn the_terminal_can_be_made_smaller() {
        let mut terminal = shell("echo ready; read line; stty size");
        terminal.expect("ready");
        terminal.resize(40, 12);
        terminal.send_line("");
        terminal.expect_display(&["12 40"]);
    }

    #[test]
    fn exit_codes_and_signals_are_told_apart() {
        assert_eq!(shell("exit 3").wait(), 3);
        assert_eq!(shell("kill -TERM $$").wait(), 128 + 15);
        let mut interrupted = shell("echo ready; read line");
        interrupted.expect("ready");
        interrupted.send_control('c');
        assert_eq!(interrupted.wait(), 128 + 2);
        // Asking again gives the same answer.
        assert_eq!(interrupted.wait(), 128 + 2);
    }

    #[test]
    fn an_expectation_starts_after_the_one_before() {
        let mut terminal = shell("echo one; echo two; echo one more");
        terminal.expect("one");
        terminal.expect("two");
        terminal.expect("one more");
    }

    #[test]
    #[should_panic(expected = "| what was there instead")]
    fn a_failed_expectation_shows_the_screen() {
        let mut terminal = shell("echo what was there instead; read line");
        terminal.expect_within("never shown", Duration::from_millis(300));
    }

    #[test]
    #[should_panic(expected = "the program ended and \"never shown\" did not appear")]
    fn a_program_that_ended_is_not_waited_for() {
        shell("true").expect("never shown");
    }

    #[test]
    fn escape_sequences_are_not_text_even_when_cut_in_two() {
        let bytes = b"a\x1b[31mred\x1b[0m\r\x1b[2Kb\x1b]0;title\x07c\x1b]8;;x\x1b\\d\r\n\xc3\xa9";
        let whole = plain(bytes);
        assert_eq!(whole, "ared\nbcd\né".as_bytes());
        for length in 0..bytes.len() {
            assert!(
                whole.starts_with(&plain(&bytes[..length])),
                "cut at {length}"
            );
        }
    }
}
