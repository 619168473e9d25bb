//! Reading a long text with keys, on the whole screen.
//!
//! Ours rather than the user's `PAGER`: it knows files, hunks and flags, makes each part only when it is looked at, and
//! starts no program. Where there is a question below the text, its answer may be typed here too, as the same whole
//! word; input typed before the first screen was drawn does not count.

mod first_look;
mod full_screen;
mod key;
mod rows;
mod search;
mod status;
mod view;

use std::io;
use std::os::fd::AsFd;

use proctor_core::visible;
use proctor_host::crash_point::crash_point;
use rustix::process::{Signal, kill_current_process_group};

use self::key::{Key, next_key};
use self::rows::Row;
use self::search::Pattern;
use self::view::{View, Way};
use super::document::{Document, Later};
use super::keyboard::{Keyboard, Patience, Pressed};
use super::screen::Screen;
use super::style::{Ink, Line, inked};
use super::text::{cut, padded};
use super::wrap::wrapped;

pub(crate) use first_look::FirstLook;
pub(super) use full_screen::FullScreen;
pub(crate) use full_screen::restore as give_terminal_back;
pub(super) use rows::{broken, row_count};
#[cfg(test)]
pub(crate) use status::KEYS as PAGER_KEYS;

/// A person's activity in the middle of reading.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Doing {
    Reading,
    /// Typing a search.
    Typing(String),
    /// Typing the answer to the question.
    Answering(String),
    /// Looking at the list of keys.
    Help,
}

/// A key's request to the loop.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    Draw,
    Leave,
    /// With a line for the question.
    Answer(String),
    Stop,
    Suspend,
}

/// Shows a document until the person has seen enough, or wants to stop altogether; returns their answer to the
/// question, if there is one.
pub(super) fn page<Input: AsFd>(
    document: &Document<'_>,
    question: Option<&str>,
    screen: &Screen,
    keyboard: &Keyboard<Input>,
) -> io::Result<Option<String>> {
    let mut full_screen = screen.take_over().map_or_else(FullScreen::enter, Ok)?;
    full_screen.take_keys()?;
    let (columns, lines) = (screen.width(), screen.height());
    let mut reader = Reader {
        view: View::new(document, columns, text_rows((columns, lines), question))
            .looking(screen.appearance()),
        question,
        doing: Doing::Reading,
        message: String::new(),
        colour: screen.appearance().colour,
        size: (columns, lines),
        later: Later::More,
    };
    // Before this there was nothing to see.
    keyboard.forget_typed_ahead();
    loop {
        reader.draw(&full_screen)?;
        crash_point("pager drawn");
        let mut buffer = [0; 64];
        let pressed = reader.wait(document, screen, keyboard, &mut buffer);
        let count = match pressed {
            Pressed::Nothing => continue,
            Pressed::Bytes(count) => count,
            Pressed::End | Pressed::Interrupted => return Ok(None),
        };
        let mut bytes = &buffer[..count];
        while let Some(key) = next_key(&mut bytes) {
            match reader.press(key) {
                Next::Draw => {}
                Next::Leave => return Ok(None),
                Next::Answer(line) => return Ok(Some(line)),
                Next::Stop => {
                    keyboard.interrupt();
                    return Ok(None);
                }
                Next::Suspend => {
                    drop(full_screen);
                    // As the terminal does it for a program that leaves that to it.
                    kill_current_process_group(Signal::TSTP)?;
                    full_screen = FullScreen::enter()?;
                    full_screen.take_keys()?;
                }
            }
        }
    }
}

/// How many rows of a screen are for the text.
fn text_rows((columns, lines): (usize, usize), question: Option<&str>) -> usize {
    lines.saturating_sub(1 + question_rows(question, columns).len())
}

/// The question on a screen of this width.
fn question_rows(question: Option<&str>, columns: usize) -> Vec<Line> {
    let question = question.map(|words| Line::of(Ink::Strong, words));
    question.map_or_else(Vec::new, |line| wrapped(&line, columns))
}

struct Reader<'d, 'a> {
    view: View<'d, 'a>,
    /// The question below the text.
    question: Option<&'d str>,
    doing: Doing,
    message: String,
    colour: bool,
    size: (usize, usize),
    later: Later,
}

impl Reader<'_, '_> {
    fn resize(&mut self, columns: usize, lines: usize) {
        self.size = (columns, lines);
        self.view
            .resize(columns, text_rows(self.size, self.question));
    }

    /// Waits for a key, or for something else that makes the screen look otherwise.
    fn wait<Input: AsFd>(
        &mut self,
        document: &Document<'_>,
        screen: &Screen,
        keyboard: &Keyboard<Input>,
        buffer: &mut [u8],
    ) -> Pressed {
        loop {
            let patience = match self.later {
                Later::More => Patience::None,
                Later::Changed | Later::Nothing => Patience::Some,
            };
            let pressed = keyboard.press(buffer, patience);
            if pressed != Pressed::Nothing {
                return pressed;
            }
            let size = (screen.width(), screen.height());
            if size != self.size {
                self.resize(size.0, size.1);
                return Pressed::Nothing;
            }
            if self.later == Later::More {
                self.later = document.find_out();
                if self.later == Later::Changed {
                    self.view.forget();
                    return Pressed::Nothing;
                }
            }
        }
    }

    fn press(&mut self, key: Key) -> Next {
        self.message.clear();
        match key {
            Key::Control('c') => return Next::Stop,
            Key::Control('z') => return Next::Suspend,
            _ => {}
        }
        match std::mem::replace(&mut self.doing, Doing::Reading) {
            Doing::Help => Next::Draw,
            Doing::Typing(text) => {
                self.type_pattern(text, key);
                Next::Draw
            }
            Doing::Answering(text) => self.type_answer(text, key),
            Doing::Reading if key == Key::Letter('q') => Next::Leave,
            Doing::Reading if self.begins_answer(key) => self.type_answer(String::new(), key),
            Doing::Reading => {
                self.read(key);
                Next::Draw
            }
        }
    }

    /// The words of the question begin with letters that move nothing.
    fn begins_answer(&self, key: Key) -> bool {
        let begins = matches!(key, Key::Letter('a' | 'A' | 'r' | 'R' | 'c' | 'C'));
        begins && self.question.is_some()
    }

    fn type_answer(&mut self, mut text: String, key: Key) -> Next {
        match key {
            Key::Enter => return Next::Answer(text),
            Key::Escape => return Next::Draw,
            Key::Backspace => {
                text.pop();
                if text.is_empty() {
                    return Next::Draw;
                }
            }
            Key::Letter(letter) => text.push(letter),
            _ => {}
        }
        self.doing = Doing::Answering(text);
        Next::Draw
    }

    fn type_pattern(&mut self, mut text: String, key: Key) {
        match key {
            Key::Escape => return,
            Key::Backspace if text.pop().is_none() => return,
            Key::Letter(letter) => text.push(letter),
            Key::Enter => {
                let pattern = Pattern::new(&text).or_else(|| self.view.pattern().cloned());
                if let Some(pattern) = pattern {
                    let text = pattern.text().to_owned();
                    let found = self.view.search(pattern);
                    self.tell(found, &format!("{text} is nowhere"));
                }
                return;
            }
            _ => {}
        }
        self.doing = Doing::Typing(text);
    }

    fn read(&mut self, key: Key) {
        use Way::{Back, Forward};
        let view = &mut self.view;
        match key {
            Key::Letter('j') | Key::Down | Key::Enter => view.scroll(Forward, 1),
            Key::Letter('k') | Key::Up => view.scroll(Back, 1),
            Key::Letter(' ') | Key::PageDown | Key::Control('f') => view.page(Forward),
            Key::Letter('b') | Key::PageUp | Key::Control('b') => view.page(Back),
            Key::Letter('d') | Key::Control('d') => view.half_page(Forward),
            Key::Letter('u') | Key::Control('u') => view.half_page(Back),
            Key::Letter('g') | Key::Home => view.go_to_start(),
            Key::Letter('G') | Key::End => view.go_to_end(),
            Key::Letter(']') | Key::Tab => {
                let found = view.go_to_file(Forward);
                self.tell(found, "this is the last file");
            }
            Key::Letter('[' | 'p') | Key::BackTab => {
                let found = view.go_to_file(Back);
                self.tell(found, "this is the first file");
            }
            Key::Letter('}' | 'J') => {
                let found = view.go_to_hunk(Forward);
                self.tell(found, "there is no change below");
            }
            Key::Letter('{' | 'K') => {
                let found = view.go_to_hunk(Back);
                self.tell(found, "there is no change above");
            }
            Key::Letter('f') => {
                let found = view.go_to_flagged(Forward);
                self.tell(found, "no flagged file below");
            }
            Key::Letter('F') => {
                let found = view.go_to_flagged(Back);
                self.tell(found, "no flagged file above");
            }
            Key::Letter('/') => self.doing = Doing::Typing(String::new()),
            // Before anything was searched for, the key goes to the next file.
            Key::Letter('n') if view.pattern().is_none() => self.read(Key::Tab),
            Key::Letter('n') => self.search_again(Forward),
            Key::Letter('N') => self.search_again(Back),
            Key::Letter('x') => {
                let found = view.unfold();
                self.tell(found, "nothing is folded here");
            }
            Key::Letter('h' | '?') => self.doing = Doing::Help,
            Key::Control('l') => view.forget(),
            _ => "h lists the keys".clone_into(&mut self.message),
        }
    }

    fn search_again(&mut self, way: Way) {
        let found = self.view.search_again(way);
        self.tell(found, "it is nowhere");
    }

    fn tell(&mut self, found: bool, otherwise: &str) {
        if !found {
            otherwise.clone_into(&mut self.message);
        }
    }

    fn draw(&mut self, screen: &FullScreen) -> io::Result<()> {
        if self.doing == Doing::Help {
            let rows = status::help(self.size.0, text_rows(self.size, self.question));
            return screen.draw(&self.painted(&rows, status::LEAVE_HELP));
        }
        // A part that takes long is announced first, then shown.
        for patient in [false, true] {
            let (rows, complete) = self.view.frame(patient);
            let status = match &self.doing {
                Doing::Typing(text) => format!("/{text}"),
                Doing::Answering(text) => format!("> {text}"),
                _ => status::line(&self.view.whereabouts(), &self.message, self.size.0),
            };
            screen.draw(&self.painted(&rows, &status))?;
            if complete {
                break;
            }
        }
        Ok(())
    }

    /// A whole screen at once, so that nothing flickers.
    fn painted(&self, rows: &[Row], status: &str) -> String {
        let (columns, lines) = self.size;
        let mut text = String::new();
        let text_rows = text_rows(self.size, self.question);
        for number in 0..text_rows {
            // Cleared first: after a full row the cursor is still on its last character.
            text += &row_start(number + 1);
            for piece in rows.get(number).into_iter().flatten() {
                text += &match (piece.found, self.colour) {
                    (true, _) => exchanged(&piece.text),
                    (false, true) => inked(piece.ink, &piece.text),
                    (false, false) => piece.text.clone(),
                };
            }
        }
        let question = question_rows(self.question, columns);
        for (row, line) in (text_rows + 1..lines).zip(&question) {
            text += &row_start(row);
            text += &if self.colour {
                line.painted()
            } else {
                line.plain()
            };
        }
        let status = padded(&cut(&visible::line(status), columns), columns);
        text + &row_start(lines) + &exchanged(&status)
    }
}

/// The cursor to the beginning of a row, and nothing in it.
fn row_start(row: usize) -> String {
    format!("\x1b[{row};1H\x1b[2K")
}

/// In the colours of the screen, exchanged.
fn exchanged(text: &str) -> String {
    format!("\x1b[7m{text}\x1b[27m")
}
