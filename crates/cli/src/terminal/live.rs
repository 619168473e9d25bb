//! The line that moves while something is waited for.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use proctor_core::visible;

use super::screen::Screen;
use super::style::{Appearance, Ink, Line};
use super::text::{cut, width};

/// How many of the last lines of output are shown.
const TAIL: usize = 3;

/// How much of a line is kept; no terminal shows more in one line.
const LONGEST_LINE: usize = 2000;

/// Time between two drawings.
const TICK: Duration = Duration::from_millis(120);

/// Columns for the spinner and the seconds.
const FRAME: usize = 14;

const TEMPLATE: &str = "{spinner} {msg} ({seconds} s){tail}";

type Tail = Arc<Mutex<VecDeque<String>>>;

/// A spinner with words, seconds and the last lines of output. Dropping it clears it away.
pub(super) struct Live {
    bar: ProgressBar,
    tail: Tail,
}

impl Live {
    /// Starts to draw on standard error.
    pub(super) fn start(screen: &Screen, words: &Line) -> Self {
        let appearance = screen.appearance();
        let tail = Tail::default();
        let columns = screen.width();
        let drawn = Arc::clone(&tail);
        // The tail is read when it is drawn, not when it changes: a test that prints a million lines
        // costs a million pushes and a few drawings a second.
        let style = ProgressStyle::with_template(TEMPLATE)
            .expect("the template is a constant that a test draws")
            .with_key(
                "seconds",
                |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let _ = write!(out, "{}", state.elapsed().as_secs());
                },
            )
            .with_key(
                "tail",
                move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let _ = out.write_str(&tail_text(&drawn, appearance, columns));
                },
            )
            .tick_chars(if appearance.unicode {
                "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ "
            } else {
                "|/-\\ "
            });
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(style);
        bar.set_message(fitting(words, appearance, columns.saturating_sub(FRAME)));
        bar.enable_steady_tick(TICK);
        Self { bar, tail }
    }

    /// Changes the text from now on; the seconds continue, and the lines below belonged to the old text.
    pub(super) fn word(&self, words: &Line, appearance: Appearance, columns: usize) {
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.clear();
        drop(tail);
        let room = columns.saturating_sub(FRAME);
        self.bar.set_message(fitting(words, appearance, room));
    }

    /// Takes in a line of output.
    pub(super) fn feed(&self, line: &str) {
        let line: String = line.chars().take(LONGEST_LINE).collect();
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.len() == TAIL {
            tail.pop_front();
        }
        tail.push_back(line);
    }

    /// Shows this and nothing else below the line.
    pub(super) fn replace(&self, line: &str) {
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.clear();
        tail.push_back(line.to_owned());
    }

    /// Clears the drawing, does something else with the terminal, and draws again.
    pub(super) fn aside<R>(&self, work: impl FnOnce() -> R) -> R {
        self.bar.suspend(work)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Columns of a line's end that stay when it is cut: `, attempt 2 of 3`.
const LAST_WORDS: usize = 20;

/// The words without their middle: how they begin says where a run is, how they end which attempt it is.
fn without_middle(text: &str, appearance: Appearance, columns: usize) -> String {
    let ellipsis = appearance.ellipsis();
    let starts = text.char_indices().map(|(at, _)| at);
    let end = starts
        .rev()
        .take_while(|at| width(&text[*at..]) <= LAST_WORDS);
    let end = &text[end.last().unwrap_or(text.len())..];
    let room = columns.saturating_sub(width(end) + width(ellipsis));
    format!("{}{ellipsis}{end}", cut(text, room))
}

/// Painted if it fits; a line that has to be cut loses its inks rather than its end of them.
fn fitting(words: &Line, appearance: Appearance, columns: usize) -> String {
    let plain = words.plain();
    if width(&plain) > columns {
        without_middle(&plain, appearance, columns)
    } else if appearance.colour {
        words.painted()
    } else {
        plain
    }
}

fn tail_text(tail: &Tail, appearance: Appearance, columns: usize) -> String {
    let lines = tail.lock().unwrap_or_else(PoisonError::into_inner);
    let mut text = String::new();
    for line in &*lines {
        // One column stays free: some terminals wrap as soon as the last one is written.
        let short = cut(&format!("    {}", visible::line(line)), columns - 1);
        text.push('\n');
        text.push_str(&fitting(&Line::of(Ink::Faint, short), appearance, columns));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_shown_and_none_is_wider_than_the_screen() {
        let tail = Tail::default();
        let live = Live {
            bar: ProgressBar::hidden(),
            tail: Arc::clone(&tail),
        };
        for line in ["one", "two", "\x1b[2J", "a line that is far too long"] {
            live.feed(line);
        }
        assert_eq!(
            tail_text(&tail, Appearance::default(), 20),
            "\n    two\n    \\x1b[2J\n    a line that is "
        );
    }

    #[test]
    fn what_is_too_long_keeps_its_beginning_and_its_number() {
        let words = "N3 Implement    asking the model for src/a/very/long/name/of/a/file.py, attempt 2 of 3";
        let line = Line::of(Ink::Plain, words);
        let shown = |columns| fitting(&line, Appearance::default(), columns);
        assert_eq!(
            shown(66),
            "N3 Implement    asking the model for src/a/...e.py, attempt 2 of 3"
        );
        assert_eq!(shown(200), words);
        for columns in 24..90 {
            assert!(width(&shown(columns)) <= columns, "{columns}");
            assert!(shown(columns).ends_with("attempt 2 of 3"), "{columns}");
        }
    }

    #[test]
    fn the_template_is_valid() {
        assert!(ProgressStyle::with_template(TEMPLATE).is_ok());
    }
}
