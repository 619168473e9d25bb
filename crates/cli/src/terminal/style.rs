//! How things look: inks instead of colours, and lines made of them.
//!
//! Views say what a piece of text *is*; only this file knows its colour. Whether colours and symbols are shown at all
//! is decided once, in [`Appearance::choose`].

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use proctor_core::diff::Tag;
use proctor_core::syntax::SyntaxKind;
use proctor_core::visible;
use proctor_host::surroundings::Surroundings;

use crate::diagnostics;

/// The choices of `--color`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourChoice {
    /// At a terminal, unless the environment objects.
    #[default]
    Auto,
    /// Also into pipes and files.
    Always,
    /// Nowhere.
    Never,
}

/// The terminal's capabilities.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own about the other side"
)]
pub(crate) struct Appearance {
    /// Escape sequences for colours are welcome.
    pub(crate) colour: bool,
    /// Characters outside ASCII are shown as they are meant.
    pub(crate) unicode: bool,
    /// Lines can be drawn over: it is a terminal, and not a dumb one.
    pub(crate) live: bool,
    /// Text that is too long for the screen is read in the pager.
    pub(crate) paged: bool,
}

impl Appearance {
    /// Decides from the flag, the environment and whether the output is a terminal.
    ///
    /// A flag that was typed is stronger than `NO_COLOR`, which is a standing wish.
    pub(crate) fn choose(
        choice: ColourChoice,
        surroundings: &Surroundings,
        is_terminal: bool,
    ) -> Self {
        let capable = surroundings.text("TERM").is_some_and(|it| it != "dumb");
        // Lines of the log would be drawn into it.
        let logs = diagnostics::are_wanted(surroundings);
        let live = is_terminal && capable && !logs;
        let colour = match choice {
            ColourChoice::Auto => live && surroundings.get("NO_COLOR").is_none(),
            ColourChoice::Always => true,
            ColourChoice::Never => false,
        };
        // The first of these that is set decides, as in the C library.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .find_map(|name| surroundings.text(name))
            .unwrap_or_default()
            .to_ascii_lowercase();
        Self {
            colour,
            unicode: locale.contains("utf-8") || locale.contains("utf8"),
            live,
            // A user who has set this wants to see everything at once, everywhere.
            paged: live && surroundings.text("PAGER") != Some("cat"),
        }
    }

    /// The sign of success.
    pub(crate) fn tick(self) -> &'static str {
        self.symbol("✓", "+")
    }

    /// The sign of refusal.
    pub(crate) fn cross(self) -> &'static str {
        self.symbol("✗", "x")
    }

    /// The sign of a plain fact.
    pub(crate) fn dot(self) -> &'static str {
        self.symbol("•", "*")
    }

    /// The sign of something left out.
    pub(crate) fn ellipsis(self) -> &'static str {
        self.symbol("…", "...")
    }

    /// The prefix of the further rows of a line that the screen is too narrow for; two columns.
    pub(crate) fn continuation(self) -> &'static str {
        self.symbol("↪ ", "> ")
    }

    /// The character of the rule between two sections.
    pub(crate) fn rule(self) -> &'static str {
        self.symbol("─", "-")
    }

    fn symbol(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.unicode { unicode } else { ascii }
    }
}

/// The role of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Ordinary text.
    Plain,
    /// A heading or a name that the eye looks for.
    Strong,
    /// Less important than its surroundings.
    Faint,
    /// Success, and added lines.
    Good,
    /// Refusal, and deleted lines.
    Bad,
    /// A word that was removed within a line that stays.
    BadWord,
    /// A word that was added within a line that stays.
    GoodWord,
    /// A word of a program, on a line of this kind.
    Code(Tag, SyntaxKind),
    /// A line that only moved.
    Moved(Tag),
    /// A hunk's position.
    Place,
    /// A warning that must not be overlooked.
    Alarm,
}

impl Ink {
    fn style(self) -> Style {
        let plain = Style::new();
        match self {
            Self::Plain => plain,
            Self::Strong => plain.bold(),
            Self::Faint => plain.dimmed(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Bad => AnsiColor::Red.on_default(),
            Self::BadWord => AnsiColor::Red.on_default().bold().underline(),
            Self::GoodWord => AnsiColor::Green.on_default().bold().underline(),
            Self::Code(tag, kind) => code(tag, kind),
            Self::Moved(tag) => side(tag).style().dimmed(),
            Self::Place => AnsiColor::Cyan.on_default(),
            Self::Alarm => AnsiColor::Yellow.on_default().bold(),
        }
    }
}

/// The ink of a line of a difference.
pub(super) fn side(tag: Tag) -> Ink {
    match tag {
        Tag::Context => Ink::Plain,
        Tag::Added => Ink::Good,
        Tag::Removed => Ink::Bad,
    }
}

/// Changed words stay red or green throughout, so there words differ by weight; around them they have colours.
fn code(tag: Tag, kind: SyntaxKind) -> Style {
    let base = side(tag).style();
    match (kind, tag) {
        (SyntaxKind::Comment, _) => base.italic().dimmed(),
        (SyntaxKind::Keyword, Tag::Context) => AnsiColor::Magenta.on_default(),
        (SyntaxKind::Keyword, _) => base.bold(),
        (SyntaxKind::Text, Tag::Context) => AnsiColor::Blue.on_default(),
        (SyntaxKind::Text, _) => base.italic(),
        (SyntaxKind::Number, _) => base,
    }
}

/// One line for the screen, in pieces of different ink. It can only be made of filtered text: whatever its content,
/// nothing on the screen acts, hides or begins a line of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pieces: Vec<(Ink, String)>,
}

impl Line {
    /// A line of one piece.
    pub(crate) fn of(ink: Ink, text: impl Into<String>) -> Self {
        Self::default().and(ink, text)
    }

    /// The line with another piece at its end.
    pub(crate) fn and(mut self, ink: Ink, text: impl Into<String>) -> Self {
        self.pieces.push((ink, visible::line(&text.into())));
        self
    }

    /// The text with escape sequences for its inks, without a line end.
    pub(crate) fn painted(&self) -> String {
        let mut painted = String::new();
        for (ink, text) in &self.pieces {
            painted.push_str(&inked(*ink, text));
        }
        painted
    }

    /// Its pieces in order.
    pub(crate) fn pieces(&self) -> &[(Ink, String)] {
        &self.pieces
    }

    /// The text alone.
    pub(crate) fn plain(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }
}

/// The text with the escape sequences of its ink.
pub(super) fn inked(ink: Ink, text: &str) -> String {
    let style = ink.style();
    format!("{style}{text}{style:#}")
}

/// An empty line.
pub(crate) fn blank() -> Line {
    Line::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Surroundings {
        Surroundings::from_list(
            variables
                .iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }

    #[test]
    fn colour_needs_a_terminal_and_no_objection() {
        let choose = |choice, variables: &[(&str, &str)], is_terminal| {
            Appearance::choose(choice, &with(variables), is_terminal).colour
        };
        let terminal = ("TERM", "xterm");
        assert!(choose(ColourChoice::Auto, &[terminal], true));
        assert!(!choose(ColourChoice::Auto, &[terminal], false));
        assert!(!choose(ColourChoice::Auto, &[("TERM", "dumb")], true));
        assert!(!choose(ColourChoice::Auto, &[], true));
        assert!(!choose(
            ColourChoice::Auto,
            &[terminal, ("NO_COLOR", "1")],
            true
        ));
        assert!(choose(
            ColourChoice::Auto,
            &[terminal, ("NO_COLOR", "")],
            true
        ));
        assert!(choose(ColourChoice::Always, &[("NO_COLOR", "1")], false));
        assert!(!choose(ColourChoice::Never, &[terminal], true));
    }

    #[test]
    fn the_strongest_locale_variable_decides_about_symbols() {
        let unicode = |variables: &[(&str, &str)]| {
            Appearance::choose(ColourChoice::Auto, &with(variables), true).unicode
        };
        assert!(unicode(&[("LANG", "C.UTF-8")]));
        assert!(unicode(&[("LANG", "C"), ("LC_CTYPE", "de_DE.utf8")]));
        assert!(!unicode(&[("LANG", "C.UTF-8"), ("LC_ALL", "C")]));
        assert!(!unicode(&[]));
    }

    #[test]
    fn a_pager_needs_a_capable_terminal_and_no_objection() {
        let paged = |variables: &[(&str, &str)], is_terminal| {
            Appearance::choose(ColourChoice::Auto, &with(variables), is_terminal).paged
        };
        let terminal = ("TERM", "xterm");
        assert!(paged(&[terminal], true));
        assert!(paged(&[terminal, ("PAGER", "less")], true));
        assert!(!paged(&[terminal, ("PAGER", "cat")], true));
        assert!(!paged(&[terminal], false));
        assert!(!paged(&[("TERM", "dumb")], true));
    }

    #[test]
    fn a_line_is_its_pieces() {
        let line = Line::of(Ink::Good, "+").and(Ink::Plain, " added");
        assert_eq!(line.plain(), "+ added");
        assert_eq!(line.painted(), "\u{1b}[32m+\u{1b}[0m added");
    }
}
