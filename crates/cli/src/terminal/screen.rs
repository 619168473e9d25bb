//! The one way to a person's eyes.
//!
//! Progress and prompts write to the same terminal, and a spinner that kept drawing would paint over a question. Clones
//! of a [`Screen`] therefore share one stream and at most one [`Live`] line: all output moves that line out of the way,
//! and a prompt takes it down.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::rc::Rc;

use anstream::{AutoStream, ColorChoice};
use proctor_host::surroundings::Surroundings;

use super::live::Live;
use super::pager::{FullScreen, broken};
use super::style::{Appearance, ColourChoice, Line};
use super::wrap::wrapped;

/// Columns assumed without a terminal.
const USUAL_WIDTH: usize = 80;

/// Fewer columns than this are not believed; some terminals report none.
const LEAST_WIDTH: usize = 20;

/// How many columns a terminal has now; none if this is not a terminal or reports nonsense.
pub(crate) fn columns_of(stream: std::os::fd::BorrowedFd<'_>) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns >= LEAST_WIDTH)
}

/// Standard error, or its replacement in tests. Clones write to the same place.
#[derive(Clone)]
pub(crate) struct Screen {
    shared: Rc<RefCell<Shared>>,
    appearance: Appearance,
}

struct Shared {
    stream: AutoStream<Box<dyn Write>>,
    live: Option<Live>,
    /// The whole screen, left by an earlier owner that no longer needs it.
    full: Option<FullScreen>,
}

impl Screen {
    /// Standard error, looking as flag and environment want it.
    pub(crate) fn stderr(choice: ColourChoice, surroundings: &Surroundings) -> Self {
        let stderr = io::stderr();
        let appearance = Appearance::choose(choice, surroundings, stderr.is_terminal());
        Self::to(Box::new(stderr), appearance)
    }

    /// Any other place.
    pub(crate) fn to(writer: Box<dyn Write>, appearance: Appearance) -> Self {
        let choice = if appearance.colour {
            ColorChoice::AlwaysAnsi
        } else {
            ColorChoice::Never
        };
        Self {
            shared: Rc::new(RefCell::new(Shared {
                stream: AutoStream::new(writer, choice),
                live: None,
                full: None,
            })),
            appearance,
        }
    }

    /// The same screen; everything is printed on it, however long.
    pub(crate) fn without_pager(mut self) -> Self {
        self.appearance.paged = false;
        self
    }

    /// Its capabilities.
    pub(crate) fn appearance(&self) -> Appearance {
        self.appearance
    }

    /// How many columns there are now.
    pub(crate) fn width(&self) -> usize {
        if !self.appearance.live {
            return USUAL_WIDTH;
        }
        columns_of(rustix::stdio::stderr()).unwrap_or(USUAL_WIDTH)
    }

    /// The current number of lines; none where there is no terminal or it does not say.
    pub(crate) fn height(&self) -> usize {
        if !self.appearance.live {
            return 0;
        }
        rustix::termios::tcgetwinsize(rustix::stdio::stderr())
            .map_or(0, |size| usize::from(size.ws_row))
    }

    /// Prints lines, above the live line if there is one; on a terminal those that are too long for it are broken.
    pub(crate) fn print(&self, lines: &[Line]) -> io::Result<()> {
        let mut text = String::new();
        let mut push = |line: &Line| {
            text.push_str(&line.painted());
            text.push('\n');
        };
        if self.appearance.live {
            lines
                .iter()
                .flat_map(|line| self.broken(line))
                .for_each(|line| push(&line));
        } else {
            lines.iter().for_each(push);
        }
        self.write(&text)
    }

    /// The line as lines that the screen has room for, each further one marked.
    pub(crate) fn broken(&self, line: &Line) -> Vec<Line> {
        broken(line, self.width(), self.appearance.continuation())
    }

    /// Prints sentences: on a terminal broken between words, in a log whole, so that it can be searched.
    pub(crate) fn tell(&self, lines: &[Line]) -> io::Result<()> {
        if !self.appearance.live {
            return self.print(lines);
        }
        let columns = self.width();
        let lines: Vec<Line> = lines
            .iter()
            .flat_map(|line| wrapped(line, columns))
            .collect();
        self.print(&lines)
    }

    /// Rings the bell; a log has none.
    pub(super) fn ring(&self) -> io::Result<()> {
        if self.appearance.live {
            // Where colours are unwanted the stream takes everything out that is not text.
            rustix::io::write(rustix::stdio::stderr(), b"\x07")?;
        }
        Ok(())
    }

    /// Prints a question; the cursor stays after it and nothing is drawn any more.
    pub(crate) fn ask(&self, question: &Line) -> io::Result<()> {
        self.take_down();
        let lines = if self.appearance.live {
            wrapped(question, self.width())
        } else {
            vec![question.clone()]
        };
        let lines: Vec<String> = lines.iter().map(Line::painted).collect();
        self.write(&format!("{} ", lines.join("\n")))
    }

    /// Draws this below everything else until it is taken down or replaced.
    pub(super) fn put_up(&self, live: Live) {
        self.shared.borrow_mut().live = Some(live);
    }

    /// Changes the text of the live line, which begins where there is none; the lines below it go.
    pub(super) fn word_live(&self, words: &Line) {
        let is_up = match &self.shared.borrow().live {
            Some(live) => {
                live.word(words, self.appearance, self.width());
                true
            }
            None => false,
        };
        if !is_up {
            self.put_up(Live::start(self, words));
        }
    }

    /// Removes the live line.
    pub(super) fn take_down(&self) {
        self.shared.borrow_mut().live = None;
    }

    /// Keeps the whole screen for the next owner.
    pub(super) fn keep(&self, full: FullScreen) {
        self.shared.borrow_mut().full = Some(full);
    }

    /// The whole screen, if it is taken already.
    pub(super) fn take_over(&self) -> Option<FullScreen> {
        self.shared.borrow_mut().full.take()
    }

    /// Shows a line of a process's output below the live line, if there is one.
    pub(super) fn feed(&self, line: &str) {
        if let Some(live) = &self.shared.borrow().live {
            live.feed(line);
        }
    }

    /// Shows this and nothing else below the live line, if there is one.
    pub(super) fn show_below(&self, line: &str) {
        if let Some(live) = &self.shared.borrow().live {
            live.replace(line);
        }
    }

    fn write(&self, text: &str) -> io::Result<()> {
        let shared = &mut *self.shared.borrow_mut();
        let stream = &mut shared.stream;
        let mut write = || {
            stream.write_all(text.as_bytes())?;
            stream.flush()
        };
        match &shared.live {
            Some(live) => live.aside(write),
            None => write(),
        }
    }
}

impl fmt::Debug for Screen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Screen")
            .field("appearance", &self.appearance)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::sample::Captured;
    use crate::terminal::style::Ink;

    #[test]
    fn without_colour_no_escape_sequence_is_written() {
        for colour in [false, true] {
            let captured = Captured::default();
            let screen = captured.screen(Appearance {
                colour,
                ..Appearance::default()
            });
            screen
                .print(&[Line::of(Ink::Bad, "refused")])
                .expect("memory takes everything");
            assert_eq!(captured.text().contains('\u{1b}'), colour);
            assert!(captured.text().contains("refused"));
        }
    }
}
