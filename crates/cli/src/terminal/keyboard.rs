//! Lines that a person types.
//!
//! Read byte by byte from the terminal itself: a buffer would take in lines that were meant for a later
//! question, and a plain blocking read would not notice that the person wants to stop.

use std::io::IsTerminal as _;
use std::os::fd::AsFd;

use proctor_host::process::Interrupt;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{QueueSelector, tcflush};

/// How long to wait between two looks at the interrupt flag.
const LISTENING: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 200_000_000,
};

/// More than any answer; the rest of a longer line is not kept.
const LONGEST_LINE: usize = 1000;

/// Input from the keyboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// A line that was ended with Enter.
    Line(String),
    /// The input ended; a line that Enter did not end does not count.
    End,
    /// The person wants to stop.
    Interrupted,
}

/// Whether to wait for a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    /// Some bytes.
    Some,
    /// There is something else to do.
    None,
}

/// Input while keys are read one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pressed {
    /// So many bytes.
    Bytes(usize),
    /// Nothing for a while.
    Nothing,
    /// The input ended.
    End,
    /// The person wants to stop.
    Interrupted,
}

/// A terminal's input, or its replacement in tests.
#[derive(Debug)]
pub(super) struct Keyboard<Input> {
    input: Input,
    interrupt: Interrupt,
}

impl<Input: AsFd> Keyboard<Input> {
    pub(super) fn new(input: Input, interrupt: Interrupt) -> Self {
        Self { input, interrupt }
    }

    /// Whether a person can be at it.
    pub(super) fn is_terminal(&self) -> bool {
        self.input.as_fd().is_terminal()
    }

    /// Discards input typed so far, which cannot be an answer to a question asked only now.
    pub(super) fn forget_typed_ahead(&self) {
        // Without a terminal there is nothing to discard.
        let _ = tcflush(&self.input, QueueSelector::IFlush);
    }

    /// The person asked to stop with a key.
    pub(super) fn interrupt(&self) {
        self.interrupt.set();
    }

    /// Waits for a line.
    pub(super) fn line(&self) -> Typed {
        let mut line = Vec::new();
        loop {
            let mut byte = [0];
            match self.press(&mut byte, Patience::Some) {
                Pressed::Bytes(_) if byte == *b"\n" => {
                    return Typed::Line(String::from_utf8_lossy(&line).into_owned());
                }
                Pressed::Bytes(_) if line.len() < LONGEST_LINE => line.extend(byte),
                Pressed::Bytes(_) | Pressed::Nothing => {}
                Pressed::End => return Typed::End,
                Pressed::Interrupted => return Typed::Interrupted,
            }
        }
    }

    /// The next input.
    pub(super) fn press(&self, buffer: &mut [u8], patience: Patience) -> Pressed {
        if self.interrupt.is_set() {
            return Pressed::Interrupted;
        }
        let mut descriptors = [PollFd::new(&self.input, PollFlags::IN)];
        let time = match patience {
            Patience::Some => LISTENING,
            Patience::None => Timespec::default(),
        };
        match poll(&mut descriptors, Some(&time)) {
            Ok(0) | Err(Errno::INTR | Errno::AGAIN) => return Pressed::Nothing,
            Ok(_) => {}
            Err(_) => return Pressed::End,
        }
        match rustix::io::read(&self.input, buffer) {
            Ok(0) => Pressed::End,
            Ok(count) => Pressed::Bytes(count),
            Err(Errno::INTR | Errno::AGAIN) => Pressed::Nothing,
            Err(_) => Pressed::End,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn each_call_takes_one_line_and_leaves_the_rest() {
        let (reader, mut writer) = std::io::pipe().expect("pipes are to be had");
        let keyboard = Keyboard::new(reader, Interrupt::never());
        writer
            .write_all(b"one\ntwo\nthr")
            .expect("the pipe is open");
        assert_eq!(keyboard.line(), Typed::Line("one".to_owned()));
        assert_eq!(keyboard.line(), Typed::Line("two".to_owned()));
        drop(writer);
        assert_eq!(keyboard.line(), Typed::End);
        assert!(!keyboard.is_terminal());
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let (reader, mut writer) = std::io::pipe().expect("pipes are to be had");
        let keyboard = Keyboard::new(reader, Interrupt::never());
        writer
            .write_all(format!("{}\n", "a".repeat(5000)).as_bytes())
            .expect("the pipe is open");
        assert_eq!(keyboard.line(), Typed::Line("a".repeat(LONGEST_LINE)));
    }

    #[test]
    fn an_interrupt_ends_the_waiting() {
        let (reader, _writer) = std::io::pipe().expect("pipes are to be had");
        let interrupt = Interrupt::never();
        let keyboard = Keyboard::new(reader, interrupt.clone());
        let waiting = std::thread::spawn(move || keyboard.line());
        interrupt.set();
        assert_eq!(
            waiting.join().expect("the thread only waits"),
            Typed::Interrupted
        );
    }
}
