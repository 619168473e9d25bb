//! A run as one page of HTML, to be kept beside the commit or sent to others.
//!
//! Nothing on it comes from elsewhere and nothing on it runs: no script, no font, no picture, and a policy in
//! its head that forbids all of them. Every word from a model, a test or a repository is escaped twice over:
//! by the template, and the whole page is spelled out at the end.

mod change;
mod evidence;
mod story;
mod summary;
mod trail;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use proctor_core::review_gate::ReportedFile;
use proctor_core::visible::spelled_out;
use proctor_core::workflow::{Event, Run, Stage, step};
use proctor_host::driver::Inputs;
use proctor_host::journal::{Chain, Record, RunRow};

use crate::run_view::subject;

pub(crate) use change::{heading, painted};
pub(crate) use evidence::gate;
pub(crate) use summary::{fact, tiles, verdicts};

/// The first line of every page; a file that begins with it may be replaced by a newer one.
pub(crate) const FIRST_LINE: &str = "<!DOCTYPE html><!-- Proctor report -->";

/// How the page looks; others of Proctor's look the same.
pub(crate) const STYLE: &str = include_str!("style.css");

/// The contents of the page.
pub(crate) struct Report<'a> {
    /// The run's row.
    pub(crate) row: &'a RunRow,
    /// Its initial inputs.
    pub(crate) inputs: Option<&'a Inputs>,
    /// Its part of the audit trail.
    pub(crate) records: &'a [Record],
    /// Whether the whole trail is unbroken, and how many records that are.
    pub(crate) chain: Chain,
    /// Every file that differs from the base, if the run has got that far.
    pub(crate) files: &'a [ReportedFile],
}

/// Something that happened, with the run around it.
struct Moment<'a> {
    record: &'a Record,
    event: Event,
    /// Where the run was when it happened.
    stage: Stage,
    /// The run afterwards.
    after: Run,
}

impl Report<'_> {
    /// The whole page.
    pub(crate) fn page(&self) -> String {
        let moments = self.moments();
        let subject = subject(self.row);
        let title = match subject.as_str() {
            "" => format!("Proctor run {}", self.row.id),
            subject => format!("{subject} - Proctor run {}", self.row.id),
        };
        let page = html! {
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                    meta name="referrer" content="no-referrer";
                    title { (title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    main {
                        (summary::header(self, &subject))
                        (summary::run_verdicts(&self.row.run))
                        nav {
                            @for (anchor, name) in SECTIONS {
                                a href={ "#" (anchor) } { (name) }
                            }
                        }
                        (section("story", &story::story(&moments)))
                        (section("red", &evidence::gate(self.row.run.red(), "red")))
                        (section("green", &evidence::gate(self.row.run.green(), "green")))
                        (section("change", &change::change(self.files)))
                        (section("usage", &summary::usage(&self.row.run)))
                        (section("trail", &trail::trail(self)))
                    }
                }
            }
        };
        let doctype = DOCTYPE.into_string();
        debug_assert!(FIRST_LINE.starts_with(&doctype));
        format!("{FIRST_LINE}\n{}\n", spelled_out(&page.into_string()))
    }

    /// The events in order. One that cannot be read, or cannot have happened then, is left to the trail's
    /// own section, which lists every record.
    fn moments(&self) -> Vec<Moment<'_>> {
        let mut run = Run::new(self.row.run.started().clone());
        let mut moments = Vec::new();
        for record in self.records.iter().filter(|record| record.kind == "event") {
            let Ok(event) = serde_json::from_str::<Event>(&record.body) else {
                continue;
            };
            let stage = run.stage();
            let Ok(after) = step(&run, &event) else {
                continue;
            };
            run = after.clone();
            moments.push(Moment {
                record,
                event,
                stage,
                after,
            });
        }
        moments
    }
}

const SECTIONS: [(&str, &str); 6] = [
    ("story", "What happened"),
    ("red", "Red"),
    ("green", "Green"),
    ("change", "The change"),
    ("usage", "Usage"),
    ("trail", "Audit trail"),
];

fn section(anchor: &str, content: &Markup) -> Markup {
    let name = SECTIONS.iter().find(|(known, _)| *known == anchor);
    html! {
        section id=(anchor) {
            h2 { (name.map_or("", |(_, name)| name)) }
            (content)
        }
    }
}
