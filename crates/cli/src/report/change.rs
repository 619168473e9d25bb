//! The difference, as the review shows it.

use maud::{Markup, html};
use proctor_core::review_gate::ReportedFile;

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
    let diff = FileDiff::of(file);
    let report = &file.report;
    html! {
        details.file open {
            summary {
                code { (report.path) }
                " " span.good { "+" (report.added) } " " span.bad { "-" (report.deleted) }
                @for description in &diff.descriptions { " " span.faint { (description) } }
                @for flag in &report.flags {
                    " " span class=(if report.requires_review { "badge bad" } else { "badge fact" }) { (flag.name()) }
                }
            }
            pre.diff {
                @for line in &diff.lines { (painted(line)) "\n" }
            }
        }
    }
}

/// The same pieces as on the screen, with classes for inks.
fn painted(line: &Line) -> Markup {
    html! {
        @for (ink, text) in line.pieces() {
            @match class_of(*ink) {
                Some(class) => { span class=(class) { (text) } }
                None => { (text) }
            }
        }
    }
}

fn class_of(ink: Ink) -> Option<&'static str> {
    match ink {
        Ink::Plain => None,
        Ink::Strong => Some("strong"),
        Ink::Faint => Some("faint"),
        Ink::Good => Some("good"),
        Ink::Bad => Some("bad"),
        Ink::GoodWord => Some("good word"),
        Ink::BadWord => Some("bad word"),
        Ink::Place => Some("place"),
        Ink::Alarm => Some("alarm"),
    }
}
