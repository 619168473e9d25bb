//! `proctor status`, and how a run is described in text and JSON.

use std::fmt::Write as _;
use std::path::Path;

use clap::Args;
use proctor_core::generation::dollars;
use proctor_core::workflow::{GateResult, Run, State, Usage};
use proctor_host::git::Repository;
use proctor_host::journal::RunRow;
use proctor_host::run_data::{RunData, rescue_reference};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::session::{Session, ok};
use crate::terminal::grouped;

/// Show runs, their stage and what they wait for
///
/// With RUN: that one in detail, with its tokens and cost.
///
/// Example: proctor status 87-k3x9qd --format json
#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    /// One run, in detail
    run: Option<String>,
}

pub(crate) fn status(session: &Session<'_>, arguments: &StatusArguments) -> Result<(), Failure> {
    let repository = session.repository()?;
    if arguments.run.is_some() {
        let (_, row) = session.find_run(&repository, arguments.run.as_deref())?;
        session
            .output
            .result(&summary(&row), &ok(document(&row, &repository)));
        return Ok(());
    }
    let journal = session.existing_journal(&repository)?;
    let rows = journal.map_or(Ok(Vec::new()), |journal| journal.runs())?;
    let mut text = String::new();
    for row in &rows {
        let run = &row.run;
        let _ = write!(
            text,
            "{}  {}  {} {}",
            row.id,
            run.state().key(),
            run.stage().node(),
            run.stage().title()
        );
        if let State::Parked(waiting) = run.state() {
            let _ = write!(text, "  waits for {waiting}");
        }
        text.push('\n');
    }
    if rows.is_empty() {
        text.push_str("no runs yet\n");
    }
    let documents: Vec<Value> = rows.iter().map(|row| document(row, &repository)).collect();
    session
        .output
        .result(&text, &ok(json!({ "runs": documents })));
    Ok(())
}

/// A run for scripts.
pub(crate) fn document(row: &RunRow, repository: &Repository) -> Value {
    let run = &row.run;
    let (waiting, commit) = match run.state() {
        State::Parked(waiting) => (Some(waiting.to_string()), None),
        State::Merged(commit) => (None, Some(commit)),
        State::Running | State::Aborted => (None, None),
    };
    let evidence = RunData::of(repository, row).evidence_directory();
    let gate = |result: Option<&GateResult>, color: &str| {
        result.map(|result| {
            let word = if result.verdict.is_accepted() {
                "valid"
            } else {
                "invalid"
            };
            json!({
                "verdict": format!("{word}_{color}"),
                "exit_code": result.verdict.exit_code,
                "tests": result.verdict.tests,
                "reasons": result.verdict.reasons,
                "evidence": {
                    "tree": result.tree,
                    "command": result.command,
                    "output": evidence.join(&result.evidence),
                    "elapsed_ms": result.elapsed_ms,
                    "checks": result.verdict.checks,
                    "notes": result.verdict.notes,
                    "runs": result.runs,
                    "flags": result.flags,
                    "sandbox": result.sandbox,
                },
            })
        })
    };
    let all = run.usage();
    json!({
        "run": row.id,
        "issue": run.started().issue,
        "stage": run.stage().key(),
        "state": run.state().key(),
        "waiting_for": waiting,
        "branch": row.branch,
        "worktree": (!run.worktree_removed()).then_some(&row.worktree),
        "base": run.base(),
        "base_branch": run.started().base_branch,
        "tree": run.tree(),
        "commit": commit,
        "attempts": { "scaffold": run.scaffold().asked(), "implement": run.implement().asked() },
        "red": gate(run.red(), "red"),
        "green": gate(run.green(), "green"),
        "lint": lint(run, &evidence),
        "usage": {
            "input_tokens": all.input_tokens,
            "output_tokens": all.output_tokens,
            "cost_usd": cost_usd(&all),
        },
        "usage_by_stage": {
            "scaffold": stage_usage(&run.scaffold_usage()),
            "implement": stage_usage(&run.implement_usage()),
        },
        "rescue": run.rescue(),
        "created_at": row.created_at,
    })
}

/// Dollars, or nothing where a call's cost is not known.
fn cost_usd(usage: &Usage) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "nobody spends 2^52 millionths")]
    usage.micro_usd().map(|cost| cost as f64 / 1_000_000.0)
}

fn stage_usage(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.input_tokens,
        "cached_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": cost_usd(usage),
    })
}

/// What the linter said last, and where all of its words are.
fn lint(run: &Run, evidence: &Path) -> Option<Value> {
    let mut said = serde_json::to_value(run.lint()?).ok()?;
    let fields = said.as_object_mut()?;
    let verdict = fields.remove("lint").unwrap_or_default();
    fields.insert("verdict".to_owned(), verdict);
    let kept = run
        .tree()
        .map(|tree| evidence.join(format!("lint-{}.txt", tree.short())))
        .filter(|path| path.is_file());
    fields.insert("evidence".to_owned(), json!(kept));
    Some(said)
}

/// A run for people.
pub(crate) fn summary(row: &RunRow) -> String {
    let run = &row.run;
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:<10} {value}");
    };
    line("run", row.id.as_str());
    line("issue", &run.started().issue);
    line(
        "stage",
        &format!("{} {}", run.stage().node(), run.stage().title()),
    );
    line("state", run.state().key());
    match run.state() {
        State::Parked(waiting) => line("waits for", &waiting.to_string()),
        State::Merged(commit) => {
            line("commit", commit.as_str());
            line("branch", &run.started().base_branch);
        }
        State::Running | State::Aborted => {}
    }
    if !run.worktree_removed() {
        line("worktree", &row.worktree.display().to_string());
    }
    if let Some(rescue) = run.rescue() {
        line(
            "rescued",
            &format!("{} ({})", rescue.short(), rescue_reference(&row.id)),
        );
    }
    let (scaffold, implement) = (run.scaffold().asked(), run.implement().asked());
    line(
        "replies",
        &format!("{scaffold} for tests, {implement} for the implementation"),
    );
    let usage = run.usage();
    let cached = match usage.cached_tokens {
        0 => String::new(),
        tokens => format!(" ({} of them cached)", grouped(tokens)),
    };
    let (input, output) = (grouped(usage.input_tokens), grouped(usage.output_tokens));
    line("tokens", &format!("{input} in{cached}, {output} out"));
    line("cost", &cost_words(&usage));
    text
}

/// What it cost, as far as anybody knows.
pub(crate) fn cost_words(usage: &Usage) -> String {
    match usage.micro_usd() {
        Some(cost) => dollars(cost),
        None if usage.known_micro_usd == 0 => "unknown".to_owned(),
        None => format!("more than {}", dollars(usage.known_micro_usd)),
    }
}
