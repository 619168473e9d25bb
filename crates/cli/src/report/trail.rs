//! The run's part of the audit trail, and whether the chain holds.

use maud::{Markup, html};
use proctor_host::journal::Chain;

use super::Report;
use crate::terminal::counted;

pub(super) fn trail(report: &Report<'_>) -> Markup {
    html! {
        @match &report.chain {
            Chain::Holds { records } => p {
                span.badge.good { "unbroken" }
                " The hash of each record covers the one before it; "
                (counted(*records, "record")) " of this repository were checked when this page was made. "
                code { "proctor log --verify" } " checks them again."
            },
            Chain::Breaks(broken) => p {
                span.badge.bad { "broken" }
                " Record " (broken.seq) " does not fit: " (broken.problem) "."
            },
        }
        details {
            summary { (counted(report.records.len(), "record")) " of this run" }
            div.wide {
                table {
                    thead { tr { th { "number" } th { "when" } th { "who" } th { "what" } th { "hash" } } }
                    tbody {
                        @for record in report.records {
                            tr {
                                td.number { (record.seq) }
                                td { (record.at) }
                                td { (&record.actor) }
                                td { (crate::run_view::record_words(record)) }
                                td { code { (record.hash.get(..16).unwrap_or(&record.hash)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
