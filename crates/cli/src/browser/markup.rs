//! The contents of the pages.

use maud::{DOCTYPE, Markup, html};
use proctor_core::approval::Statement;
use proctor_core::diff::Tag;
use proctor_core::review_gate::ReportedFile;
use proctor_core::visible::spelled_out;
use proctor_host::driver::{ReviewSheet, Subject};

use crate::report::{fact, gate, heading, painted, tiles, verdicts};
use crate::terminal::{FileDiff, Line, notices, place_in_file, review_question, stat_text};

/// The frame of every page. `phase` selects its script's task.
fn page(title: &str, phase: &str, session: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="session" content=(session);
                title { (title) }
                link rel="stylesheet" href="/report.css";
                link rel="stylesheet" href="/page.css";
                script src="/page.js" defer {}
            }
            body data-phase=(phase) {
                main { (content) }
            }
        }
    };
    spelled_out(&page.into_string()).into_owned()
}

/// Where the script says how it goes.
fn said() -> Markup {
    html! { p #said role="status" {} }
}

/// The whole review.
pub(super) fn review(sheet: &ReviewSheet<'_>, session: &str, asks_message: bool) -> String {
    let (title, in_run) = match sheet.subject {
        Subject::Run { run, .. } if sheet.about.is_empty() => {
            (format!("Review of run {run}"), true)
        }
        Subject::Run { run, .. } => (format!("Review of run {run}: {}", sheet.about), true),
        Subject::Own { what, .. } => (format!("Review of {what}"), false),
    };
    let reports: Vec<_> = sheet.files.iter().map(|file| &file.report).collect();
    let notices = notices(sheet);
    let content = html! {
        header {
            h1 { (title) }
            dl {
                @if let Subject::Run { issue, .. } = sheet.subject { (fact("issue", &html! { (issue) })) }
                (fact("into", &html! { (sheet.subject.branch()) }))
                @if let Some(base) = sheet.base { (fact("on top of", &html! { code { (base.short()) } })) }
                (fact("tree", &html! { code { (sheet.tree.as_str()) } }))
            }
        }
        @if in_run { (tiles(&verdicts(sheet.red, sheet.green, sheet.lint))) }
        @if !notices.is_empty() { pre.notices { (lines(&notices)) } }
        h2 { "The change" }
        pre.stat { (stat_text(&reports)) }
        @if in_run { p.faint { "Click a line to write a comment about it; comments go to the model." } }
        @for file in &sheet.files { (one(file, in_run, "")) }
        @for file in &sheet.opened { (one(file, false, "since it was first sealed")) }
        @if in_run {
            h2 { "How it was judged" }
            details open { summary { "Red" } (gate(sheet.red, "red")) }
            details open { summary { "Green" } (gate(sheet.green, "green")) }
        }
        form #answer autocomplete="off" {
            p.strong { (review_question(sheet)) }
            @if asks_message {
                label { "Commit message" textarea #message rows="2" spellcheck="true" {} }
            }
            div.row {
                input #word type="text" aria-label="Your answer" placeholder="APPROVE" spellcheck="false" autocapitalize="characters";
                button #go type="submit" { "Answer" }
                @if in_run { button #comment type="button" disabled { "Send comments to the model" } }
            }
            p.faint { "After APPROVE your browser asks for your passkey. Without it nothing is approved." }
        }
        (said())
    };
    page(&title, "review", session, &content)
}

fn lines(lines: &[Line]) -> Markup {
    html! { @for line in lines { (painted(line)) "\n" } }
}

/// A file with its difference; lines that can be spoken of say where they are.
fn one(file: &ReportedFile, takes_comments: bool, since: &str) -> Markup {
    let diff = FileDiff::of(file, &|_, _| false);
    let report = &file.report;
    html! {
        details.file open {
            summary {
                (heading(file, &diff))
                @if !since.is_empty() { " " span.badge.alarm { (since) } }
            }
            pre.diff data-path=[takes_comments.then_some(&report.path)] {
                @for line in &diff.lines { (row(line, takes_comments)) }
            }
        }
    }
}

fn row(line: &Line, takes_comments: bool) -> Markup {
    let place = place_in_file(line);
    let side = match place {
        Some((Tag::Added, _)) => "added",
        Some((Tag::Removed, _)) => "removed",
        _ => "",
    };
    let place = place.filter(|_| takes_comments);
    let number = place.map(|(_, number)| number);
    let is_gone = place.is_some_and(|(tag, _)| tag == Tag::Removed);
    html! {
        div.line.(side) data-line=[number] data-gone[is_gone] tabindex=[number.map(|_| 0)] { (painted(line)) "\n" }
    }
}

/// The page for signing a statement that was approved elsewhere.
pub(super) fn signing(statement: &Statement, session: &str) -> String {
    let content = html! {
        h1 { "Sign what you approved" }
        p { "You answered APPROVE to this at the terminal. If you did not, close this page." }
        dl.facts {
            (fact("tree", &html! { code { (statement.tree.as_str()) } }))
            @if let Some(base) = &statement.base { (fact("on top of", &html! { code { (base.as_str()) } })) }
            (fact("into", &html! { (statement.branch) }))
            @if let Some(run) = &statement.run { (fact("run", &html! { (run) })) }
            (fact("as", &html! { (statement.by) }))
            (fact("evidence", &html! { code { (statement.evidence) } }))
        }
        form #sign { div.row {
            button #go type="submit" { "Use your passkey" }
            button #decline type="button" { "Decline" }
        } }
        (said())
    };
    page("Sign an approval", "sign", session, &content)
}

/// A new passkey.
pub(super) fn enrolment(principal: &str, session: &str) -> String {
    let content = html! {
        h1 { "Make a passkey for approvals" }
        p { "It will approve as " strong { (principal) } ". It stays in your security key, your phone or this device; the repository gets its public half." }
        form #enrol { div.row {
            button #go type="submit" { "Make the passkey" }
            button #decline type="button" { "Decline" }
        } }
        (said())
    };
    page("Make a passkey", "enrol", session, &content)
}
