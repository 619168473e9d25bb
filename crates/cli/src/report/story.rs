//! The events in order, with the model's words.

use maud::{Markup, html};
use proctor_core::workflow::{Choice, Event};

use super::Moment;
use super::summary::clock;
use crate::terminal::{Mark, Outcome};

pub(super) fn story(moments: &[Moment<'_>]) -> Markup {
    html! {
        @if moments.is_empty() {
            p.faint { "Nothing has happened yet." }
        }
        ol.story {
            @for moment in moments {
                (line(moment))
            }
        }
    }
}

fn line(moment: &Moment<'_>) -> Markup {
    let outcome = Outcome::of(&moment.after, None, &moment.event);
    let class = match outcome.mark {
        Mark::Good => "good",
        Mark::Bad => "bad",
        Mark::Fact => "fact",
    };
    html! {
        li class=(class) {
            div.when { (clock(&moment.record.at)) }
            div {
                span.stage { (moment.stage.node()) " " (moment.stage.title()) }
                " " span.words { (outcome.words) }
                @if !outcome.details.is_empty() {
                    ul { @for detail in &outcome.details { li { (detail) } } }
                }
                (words_of(&moment.event))
            }
        }
    }
}

/// A message in full: folded, because it can be long.
fn words_of(event: &Event) -> Markup {
    let (heading, text) = match event {
        Event::ModelReplied(reply) => ("the reply", reply.text.as_str()),
        Event::RedJudged(result) | Event::GreenJudged(result) if !result.feedback.is_empty() => {
            ("what the model was told", result.feedback.as_str())
        }
        Event::PersonDecided(decision) => match &decision.choice {
            Choice::Comment { text } => ("the comments", text.as_str()),
            Choice::Reject { reason } if !reason.is_empty() => ("the reason", reason.as_str()),
            Choice::Reject { .. } | Choice::Approve | Choice::Abort => return html! {},
        },
        _ => return html! {},
    };
    html! {
        details {
            summary { (heading) }
            pre { (text) }
        }
    }
}
