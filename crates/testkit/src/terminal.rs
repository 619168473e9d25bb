//! A real terminal with a test at its keyboard.
//!
//! Proctor takes an approval from nothing else, so the whole workflow can only be tested through one. A thread reads
//! the terminal and hands over the output: waiting costs no processor time, which matters when many such tests share a
//! machine.

use std::fmt::{self, Write as _};
use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use expectrl::process::unix::WaitStatus;
use expectrl::session::OsSession;

/// How long a text may take to appear, and a program to end. Only a test that fails waits for so long, so this allows for
/// a machine that has much else to do.
const PATIENCE: Duration = Duration::from_mins(2);

/// How long to listen between two looks at whether the program has ended.
const LISTENING: Duration = Duration::from_millis(20);

/// How long a terminal that a child keeps open after its program's end may be silent before it is left. Without such a
/// child the end of the output is seen, and nothing is waited for.
const SILENCE: Duration = Duration::from_secs(10);

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

/// A program on a terminal of 100 columns and 30 lines, without echo.
///
/// Dropping it ends the program.
pub struct Terminal {
    session: OsSession,
    output: Receiver<Vec<u8>>,
    seen: Vec<u8>,
    // The output as text, and how many bytes of it are converted.
    text: Vec<u8>,
    read: usize,
    screen: vt100::Parser,
    // How much of the text earlier expectations have used up.
    matched: usize,
    exit_code: Option<i32>,
}

impl fmt::Debug for Terminal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Terminal");
        shown.field("process", &self.process_id());
        shown.field("exit_code", &self.exit_code);
        shown.finish_non_exhaustive()
    }
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
        // Ends on its own: reading fails as soon as no program has the terminal open.
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
            text: Vec::new(),
            read: 0,
            screen: screen(COLUMNS, LINES),
            matched: 0,
            exit_code: None,
        };
        terminal.send_line("");
        terminal
    }

    /// Waits until `text` appears after the text that earlier expectations matched.
    #[track_caller]
    pub fn expect(&mut self, text: &str) {
        self.expect_within(text, PATIENCE);
    }

    /// As [`Self::expect`], for longer work, such as a whole test run.
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
        let mut from = self.matched;
        loop {
            if let Some(position) = find(&self.text[from..], text.as_bytes()) {
                self.matched = from + position + text.len();
                return true;
            }
            // Later output may complete a match that has already begun.
            from = from.max((self.text.len() + 1).saturating_sub(text.len()));
            let remaining = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(remaining) {
                Ok(bytes) => self.take_in(&bytes),
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
        // The byte that the key sends; the terminal makes a line feed of it.
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

    /// The program's process id, for measuring it.
    pub fn process_id(&self) -> i32 {
        self.session.get_process().pid().as_raw()
    }

    /// Everything that was shown so far, without escape sequences, one line break per line.
    pub fn screen(&mut self) -> String {
        self.catch_up();
        String::from_utf8_lossy(&self.text).into_owned()
    }

    /// Everything that was shown so far, byte by byte as the terminal got it.
    pub fn raw_output(&mut self) -> &[u8] {
        self.catch_up();
        &self.seen
    }

    /// Gives the terminal another size, as dragging a window's corner does. The screen's content is then forgotten:
    /// [`Self::display`] shows what the program draws from now on.
    #[track_caller]
    pub fn resize(&mut self, columns: u16, lines: u16) {
        self.catch_up();
        self.screen = screen(columns, lines);
        let process = self.session.get_process_mut();
        process
            .set_window_size(columns, lines)
            .expect("the terminal is open");
    }

    /// The person's current screen: its rows after all that was drawn and overdrawn.
    pub fn display(&mut self) -> String {
        self.catch_up();
        self.screen.screen().contents()
    }

    /// Waits until a person sees all of `texts` at once.
    ///
    /// The screen has to stay like that until the test does something: text that the program overdraws may be gone
    /// before this looks.
    #[track_caller]
    pub fn expect_display(&mut self, texts: &[&str]) {
        self.expect_display_where(&format!("{texts:?} are"), |display| {
            texts.iter().all(|text| display.contains(text))
        });
    }

    /// Waits until the screen is as wanted; `what` describes it in the failure.
    #[track_caller]
    pub fn expect_display_where(&mut self, what: &str, is_wanted: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let display = self.display();
            if is_wanted(&display) {
                return;
            }
            let remaining = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(remaining) {
                Ok(bytes) => self.take_in(&bytes),
                Err(error) => panic!("{error}: {what} not on the screen:\n{display}\n---"),
            }
        }
    }

    /// Takes in the output since the last look.
    fn catch_up(&mut self) {
        let bytes: Vec<u8> = self.output.try_iter().flatten().collect();
        self.take_in(&bytes);
    }

    fn take_in(&mut self, bytes: &[u8]) {
        self.seen.extend(bytes);
        self.screen.process(bytes);
        self.read += plain(&self.seen[self.read..], &mut self.text);
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
        // The last output may still be on its way; its end is the end of the connection.
        while let Ok(bytes) = self.output.recv_timeout(SILENCE) {
            self.take_in(&bytes);
        }
        code
    }

    /// Takes in the output of a short while; false when no program has the terminal any more.
    fn listen(&mut self) -> bool {
        match self.output.recv_timeout(LISTENING) {
            Ok(bytes) => self.take_in(&bytes),
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

/// An empty screen.
fn screen(columns: u16, lines: u16) -> vt100::Parser {
    let some = |number| NonZero::new(number).expect("a screen has lines and columns");
    vt100::Parser::new(some(lines), some(columns), 0)
}

/// Where `needle` begins in `text`.
fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    text.windows(needle.len())
        .position(|window| window == needle)
}

/// Appends the text among the escape sequences, with each line ending in one line feed, and returns how many of the
/// bytes are done: an unfinished sequence at the end is to be read again when there is more.
fn plain(seen: &[u8], text: &mut Vec<u8>) -> usize {
    let mut rest = seen;
    loop {
        let after = match rest {
            [] | [b'\r' | 0x1b] => None,
            [b'\r', b'\n', after @ ..] | [b'\r', after @ ..] => {
                text.push(b'\n');
                Some(after)
            }
            // A control sequence ends with a byte from `@` to `~`.
            [0x1b, b'[', after @ ..] => after
                .iter()
                .position(|byte| (0x40..=0x7e).contains(byte))
                .map(|end| &after[end + 1..]),
            // A command to the terminal's own system ends with BEL or with ESC and a backslash.
            [0x1b, b']', after @ ..] => {
                let bell = after.iter().position(|byte| *byte == 0x07);
                let terminator = find(after, b"\x1b\\").map(|end| end + 1);
                let end = bell.into_iter().chain(terminator).min();
                end.map(|end| &after[end + 1..])
            }
            [0x1b, _, after @ ..] => Some(after),
            [byte, after @ ..] => {
                text.push(*byte);
                Some(after)
            }
        };
        match after {
            Some(after) => rest = after,
            None => return seen.len() - rest.len(),
        }
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
        assert_eq!(terminal.display(), "other");
        terminal.send_line("");
        assert_eq!(terminal.wait(), 0);
        // The cursor is back after the word that was written last.
        assert_eq!(terminal.display(), "ONE30 100\ntwo");
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
        terminal.expect("what was there instead");
        terminal.expect_within("never shown", Duration::from_millis(1));
    }

    #[test]
    #[should_panic(expected = "the program ended and \"never shown\" did not appear")]
    fn a_program_that_ended_is_not_waited_for() {
        shell("true").expect("never shown");
    }

    #[test]
    fn escape_sequences_are_not_text_even_when_cut_in_two() {
        let bytes = b"a\x1b[31mred\x1b[0m\r\x1b[2Kb\x1b]0;title\x07c\x1b]8;;x\x1b\\d\r\n\xc3\xa9";
        for cut in 0..bytes.len() {
            let mut text = Vec::new();
            let done = plain(&bytes[..cut], &mut text);
            plain(&bytes[done..], &mut text);
            assert_eq!(text, "ared\nbcd\né".as_bytes(), "cut at {cut}");
        }
    }
}
