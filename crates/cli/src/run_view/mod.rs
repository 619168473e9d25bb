//! A run in text for people and as JSON for scripts.

mod trail;

use std::fmt::Write as _;
use std::path::Path;

use proctor_core::generation::dollars;
use proctor_core::workflow::{GateResult, Run, State, Usage};
use proctor_host::journal::RunRow;
use proctor_host::run_data::rescue_reference;
use proctor_host::workspace::Workspace;
use serde_json::{Value, json};

use crate::terminal::grouped;

pub(crate) use trail::{body, record_words};

/// A run for scripts.
pub(crate) fn document(row: &RunRow, workspace: &Workspace) -> Value {
    let run = &row.run;
    let (waiting, commit) = match run.state() {
        State::Parked(waiting) => (Some(waiting.to_string()), None),
        State::Merged(commit) => (None, Some(commit)),
        State::Running | State::Aborted => (None, None),
    };
    let evidence = workspace.run_data(row).evidence_directory();
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
