//! A run's activity, reported as it happens.
//!
//! At a terminal a live line names the current work; when it is over one permanent line replaces it. Into a file or a
//! pipe go the same permanent lines, and long work is announced, so that a log shows where the time goes.

use std::time::{Duration, Instant};

use proctor_core::workflow::{Effect, Event, Run, Stage};
use proctor_host::driver::Watcher;
use proctor_host::model::{Destination, News};

use super::live::Live;
use super::outcome::{Mark, Outcome};
use super::policy;
use super::screen::Screen;
use super::style::{Ink, Line};
use super::text::{counted, grouped, padded, phrase};
use super::waiting;

/// How many reasons are shown below a refusal.
const DETAILS: usize = 5;

/// Columns of the longest stage name, `N0 LoadContext`.
const NAME: usize = 14;

/// How much is told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// `-q`: nothing but errors.
    Quiet,
    /// Events and results.
    #[default]
    Usual,
    /// `-v`: also every line that the tests print.
    Verbose,
}

/// Tells a person about events.
///
/// A screen that cannot be written to changes nothing: the journal has it all.
#[derive(Debug)]
pub(crate) struct Progress {
    screen: Screen,
    verbosity: Verbosity,
    current: Option<Current>,
}

/// The effect that is being worked on.
#[derive(Debug)]
struct Current {
    stage: Stage,
    effect: Effect,
    since: Instant,
}

impl Progress {
    /// Tells it on this screen.
    pub(crate) fn new(screen: Screen, verbosity: Verbosity) -> Self {
        Self {
            screen,
            verbosity,
            current: None,
        }
    }

    /// Rings the terminal's bell, if there is a terminal.
    pub(crate) fn ring(&self) {
        if !self.is_quiet() {
            let _ = self.screen.ring();
        }
    }

    /// Shows the current work while it lasts; a log gets nothing of it.
    pub(crate) fn during<T>(&self, words: &str, work: impl FnOnce() -> T) -> T {
        if self.screen.appearance().live && !self.is_quiet() {
            let line = Line::of(Ink::Plain, words);
            self.screen.put_up(Live::start(&self.screen, &line));
        }
        let result = work();
        self.screen.take_down();
        result
    }

    fn is_quiet(&self) -> bool {
        self.verbosity == Verbosity::Quiet
    }

    fn print(&self, lines: &[Line]) {
        if !self.is_quiet() {
            let _ = self.screen.tell(lines);
        }
    }
}

impl Watcher for Progress {
    fn begins(&mut self, run: &Run, effect: &Effect) {
        let stage = run.stage();
        self.current = Some(Current {
            stage,
            effect: effect.clone(),
            since: Instant::now(),
        });
        let Some(words) = waiting::words(run, effect).filter(|_| !self.is_quiet()) else {
            return;
        };
        let appearance = self.screen.appearance();
        if appearance.live {
            // The one before goes first: two would draw over each other.
            self.screen.take_down();
            let line = stage_name(Line::default(), stage).and(Ink::Plain, words);
            self.screen.put_up(Live::start(&self.screen, &line));
        } else if waiting::takes_long(effect) {
            let line = marked(Ink::Faint, appearance.dot(), stage)
                .and(Ink::Faint, format!("{words} {}", appearance.ellipsis()));
            self.print(&[line]);
        }
    }

    fn check(&mut self, what: &str) {
        if self.verbosity == Verbosity::Verbose {
            self.print(&[Line::of(Ink::Faint, format!("    {what}:"))]);
        }
        if self.screen.appearance().live && !self.is_quiet() {
            let head = match &self.current {
                Some(current) => stage_name(Line::default(), current.stage),
                None => Line::default(),
            };
            self.screen.word_live(&head.and(Ink::Plain, what));
        }
    }

    fn line(&mut self, line: &str) {
        self.screen.feed(line);
        if self.verbosity == Verbosity::Verbose {
            self.print(&[Line::of(Ink::Faint, format!("    {line}"))]);
        }
    }

    fn record(&mut self, run: &Run, event: &Event) {
        self.screen.take_down();
        let current = self.current.take();
        let stage = current.as_ref().map_or(run.stage(), |it| it.stage);
        let outcome = Outcome::of(run, current.as_ref().map(|it| &it.effect), event);
        let appearance = self.screen.appearance();
        let (ink, mark) = match outcome.mark {
            Mark::Good => (Ink::Good, appearance.tick()),
            Mark::Bad => (Ink::Bad, appearance.cross()),
            Mark::Fact => (Ink::Place, appearance.dot()),
        };
        let mut head = marked(ink, mark, stage).and(Ink::Plain, outcome.words);
        if let Some(current) = &current {
            let time = duration(current.since.elapsed());
            head = head.and(Ink::Faint, format!("  ({time})"));
        }
        let mut lines = vec![head];
        let shown = outcome.details.iter().take(DETAILS);
        lines.extend(shown.map(|detail| Line::of(Ink::Plain, format!("      {detail}"))));
        if outcome.details.len() > DETAILS {
            let more = outcome.details.len() - DETAILS;
            let ellipsis = appearance.ellipsis();
            lines.push(Line::of(
                Ink::Faint,
                format!("      {ellipsis} and {more} more"),
            ));
        }
        self.print(&lines);
    }

    fn model_news(&mut self, news: &News) {
        match news {
            News::Arrived { tokens, since } => self.screen.show_below(&arrived(*tokens, *since)),
            News::Retrying { problem, wait } => {
                let wait = duration(*wait);
                self.remark(&format!("{problem}; trying again in {wait}"));
            }
        }
    }

    fn remark(&mut self, text: &str) {
        let dot = self.screen.appearance().dot();
        self.print(&[Line::of(Ink::Place, dot).and(Ink::Plain, format!(" {}", phrase(text)))]);
    }

    fn about_to_send(&mut self, destination: &Destination, tokens: usize) {
        // Said even with `-q`: data that leaves the machine is not a progress report.
        let _ = self.screen.print(&policy::lines(
            self.screen.appearance(),
            destination,
            tokens,
        ));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // An error may end a run in the middle of an effect.
        self.screen.take_down();
    }
}

fn marked(ink: Ink, mark: &str, stage: Stage) -> Line {
    stage_name(Line::of(ink, mark).and(Ink::Plain, " "), stage)
}

fn stage_name(line: Line, stage: Stage) -> Line {
    let name = format!("{} {}", stage.node(), stage.title());
    line.and(Ink::Strong, padded(&name, NAME))
        .and(Ink::Plain, "  ")
}

/// How much of a reply is here, and how fast it comes.
fn arrived(tokens: usize, since: Duration) -> String {
    let seconds = since.as_secs().max(1);
    let rate = tokens as u64 / seconds;
    format!(
        "about {} so far, {} a second",
        counted(tokens, "token"),
        grouped(rate)
    )
}

/// Tenths of a second while they matter.
fn duration(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    match seconds {
        0..10 => format!("{:.1} s", elapsed.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        _ => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
#[path = "progress_tests.rs"]
mod tests;
