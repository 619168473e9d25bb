//! The first screen of a long review: the names, while everything else is still being read.
//!
//! How long it takes to read a change depends on its size; its subject can be shown at once. The pager takes over the
//! screen when there is something to page through. Until then keys do nothing, except that Ctrl-C interrupts.

use super::full_screen::FullScreen;
use super::rows::{Row, rows};
use super::{exchanged, row_start};
use crate::terminal::screen::Screen;
use crate::terminal::style::{Line, inked};
use crate::terminal::text::{cut, padded};

/// Takes the screen as soon as there is more to say than it has lines, and gives it back when dropped, unless the pager
/// has taken it over.
#[derive(Debug)]
pub(crate) struct FirstLook {
    screen: Screen,
}

impl FirstLook {
    /// A first look on this screen.
    pub(crate) fn on(screen: Screen) -> Self {
        Self { screen }
    }

    /// The number of lines that fill the screen; none where there is no pager.
    pub(crate) fn enough(&self) -> Option<usize> {
        let lines = self.screen.height();
        let is_paged = self.screen.appearance().paged && lines > 0;
        is_paged.then_some(lines)
    }

    /// Fills the screen with the first of these lines; `status` names the work in progress. Where that does not work
    /// the pager says why.
    pub(crate) fn show(&self, lines: impl IntoIterator<Item = Line>, status: &str) {
        let (columns, height) = (self.screen.width(), self.screen.height());
        self.screen.take_down();
        let taken = self.screen.take_over();
        let Ok(full_screen) = taken.map_or_else(FullScreen::enter, Ok) else {
            return;
        };
        let mark = self.screen.appearance().continuation();
        let mut shown = lines
            .into_iter()
            .flat_map(|line| rows(&line, columns, mark, None));
        let colour = self.screen.appearance().colour;
        let mut text = String::new();
        for number in 1..height {
            text += &row_start(number);
            text += &shown
                .next()
                .map_or_else(String::new, |row| painted(&row, colour));
        }
        let status = padded(&cut(status, columns), columns);
        text += &row_start(height);
        text += &exchanged(&status);
        if full_screen.draw(&text).is_ok() {
            self.screen.keep(full_screen);
        }
    }
}

impl Drop for FirstLook {
    fn drop(&mut self) {
        drop(self.screen.take_over());
    }
}

fn painted(row: &Row, colour: bool) -> String {
    let pieces = row.iter().map(|piece| {
        if colour {
            inked(piece.ink, &piece.text)
        } else {
            piece.text.clone()
        }
    });
    pieces.collect()
}
