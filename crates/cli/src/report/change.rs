//! The difference, as the review shows it.

use maud::{Markup, html};
use proctor_core::diff::Tag;
use proctor_core::review_gate::ReportedFile;
use proctor_core::syntax::SyntaxKind;

use crate::terminal::{FileDiff, Ink, Line, stat_text};

pub(super) fn change(files: &[ReportedFile]) -> Markup {
    let reports: Vec<_> = files.iter().map(|file| &file.report).collect();
    html! {
        @if files.is_empty() {
            p.faint { "Nothing differs from the base." }
        } @else {
            pre.stat { (stat_text(&reports)) }
        }
        @for file in files {
            (one(file))
        }
    }
}

fn one(file: &ReportedFile) -> Markup {
    // On a page nothing has to be read fast: moved lines look like all others.
    let diff = FileDiff::of(file, &|_, _| false);
    html! {
        details.file open {
            summary { (heading(file, &diff)) }
            pre.diff {
                @for line in &diff.lines { (painted(line)) "\n" }
            }
        }
    }
}

/// The file's name and labels, above its difference.
pub(crate) fn heading(file: &ReportedFile, diff: &FileDiff) -> Markup {
    let report = &file.report;
    html! {
        code { (report.path) }
        " " span.good { "+" (report.added) } " " span.bad { "-" (report.deleted) }
        @for description in &diff.descriptions { " " span.faint { (description) } }
        @for flag in &report.flags {
            " " span class=(if report.requires_review { "badge bad" } else { "badge fact" }) title=(flag.meaning()) { (flag.name()) }
        }
    }
}

/// The same pieces as on the screen, with classes for inks.
pub(crate) fn painted(line: &Line) -> Markup {
    html! {
        @for (ink, text) in line.pieces() {
            @match class_of(*ink) {
                "" => { (text) }
                class => { span class=(class) { (text) } }
            }
        }
    }
}

fn class_of(ink: Ink) -> &'static str {
    match ink {
        Ink::Plain | Ink::Moved(Tag::Context) => "",
        Ink::Strong => "strong",
        Ink::Faint => "faint",
        Ink::Good | Ink::Moved(Tag::Added) => "good",
        Ink::Bad | Ink::Moved(Tag::Removed) => "bad",
        Ink::GoodWord => "good word",
        Ink::BadWord => "bad word",
        Ink::Place => "place",
        Ink::Alarm => "alarm",
        Ink::Code(tag, kind) => code(tag, kind),
    }
}

/// As on the screen: changed words stay red or green throughout.
fn code(tag: Tag, kind: SyntaxKind) -> &'static str {
    match (tag, kind) {
        (Tag::Context, SyntaxKind::Keyword) => "keyword",
        (Tag::Context, SyntaxKind::Text) => "text",
        (Tag::Context, SyntaxKind::Comment) => "faint",
        (Tag::Context, SyntaxKind::Number) => "",
        (Tag::Added, SyntaxKind::Keyword) => "good strong",
        (Tag::Added, _) => "good",
        (Tag::Removed, SyntaxKind::Keyword) => "bad strong",
        (Tag::Removed, _) => "bad",
    }
}
