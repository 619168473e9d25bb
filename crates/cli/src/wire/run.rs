//! `run`, `resume`, `status`.

use std::path::{Path, PathBuf};

use proctor_core::gate::VerdictWord;
use proctor_core::object_id::{CommitId, TreeId};
use proctor_core::test_outcome::SandboxLevel;
use proctor_core::workflow::{GateResult, Run, State, Usage};
use proctor_host::journal::{RunId, RunRow};
use proctor_host::workspace::Workspace;
use serde::Serialize;
use serde_json::Value;

use super::gate::Mutants;
use super::verdict::{Conclusion, Grounds};

/// Every run.
#[derive(Serialize)]
pub(crate) struct RunsDocument<'a> {
    pub(crate) runs: Vec<StatusDocument<'a>>,
}

/// One run as it is right now.
#[derive(Serialize)]
pub(crate) struct StatusDocument<'a> {
    #[serde(flatten)]
    pub(crate) run: RunDocument<'a>,
    /// Its subject.
    pub(crate) title: &'a str,
    /// `running`, `interrupted`, `waiting`, `merged` or `aborted`; `state` cannot tell the first two apart.
    pub(crate) activity: &'static str,
    /// The command that continues it.
    pub(crate) next: Option<&'a str>,
}

/// One run.
#[derive(Serialize)]
pub(crate) struct RunDocument<'a> {
    run: &'a RunId,
    issue: &'a str,
    stage: &'static str,
    state: &'static str,
    waiting_for: Option<String>,
    branch: &'a str,
    worktree: Option<&'a Path>,
    base: &'a CommitId,
    base_branch: &'a str,
    tree: Option<&'a TreeId>,
    commit: Option<&'a CommitId>,
    attempts: AttemptCounts,
    red: Option<RunVerdict<'a>>,
    green: Option<RunVerdict<'a>>,
    lint: Option<Lint>,
    sandbox: Option<SandboxLevel>,
    usage: UsageTotal,
    usage_by_stage: UsageByStage,
    rescue: Option<&'a CommitId>,
    created_at: &'a str,
}

#[derive(Serialize)]
struct AttemptCounts {
    scaffold: u32,
    implement: u32,
}

#[derive(Serialize)]
struct RunVerdict<'a> {
    #[serde(flatten)]
    conclusion: Conclusion<'a>,
    exit_code: Option<i32>,
    mutants: Option<Mutants<'a>>,
    evidence: Evidence<'a>,
}

#[derive(Serialize)]
struct Evidence<'a> {
    tree: &'a TreeId,
    command: &'a str,
    output: PathBuf,
    elapsed_ms: u64,
    #[serde(flatten)]
    grounds: Grounds<'a>,
}

/// The linter's last result, and the path of its full output.
#[derive(Serialize)]
struct Lint {
    verdict: Value,
    evidence: Option<PathBuf>,
    #[serde(flatten)]
    said: Value,
}

#[derive(Serialize)]
struct UsageTotal {
    input_tokens: u64,
    output_tokens: u64,
    cost_usd: Option<f64>,
}

#[derive(Serialize)]
struct UsageByStage {
    scaffold: StageUsage,
    implement: StageUsage,
}

#[derive(Serialize)]
struct StageUsage {
    cached_tokens: u64,
    #[serde(flatten)]
    total: UsageTotal,
}

impl<'a> RunDocument<'a> {
    pub(crate) fn of(row: &'a RunRow, workspace: &Workspace) -> Self {
        let run = &row.run;
        let (waiting_for, commit) = match run.state() {
            State::Parked(waiting) => (Some(waiting.to_string()), None),
            State::Merged(commit) => (None, Some(commit)),
            State::Running | State::Aborted => (None, None),
        };
        let evidence = workspace.run_data(row).evidence_directory();
        Self {
            run: &row.id,
            issue: &run.started().issue,
            stage: run.stage().key(),
            state: run.state().key(),
            waiting_for,
            branch: &row.branch,
            worktree: (!run.worktree_removed()).then_some(&row.worktree),
            base: run.base(),
            base_branch: &run.started().base_branch,
            tree: run.tree(),
            commit,
            attempts: AttemptCounts {
                scaffold: run.scaffold().asked(),
                implement: run.implement().asked(),
            },
            red: run
                .red()
                .map(|red| RunVerdict::of(VerdictWord::red(&red.verdict), red, &evidence)),
            green: run
                .green()
                .map(|green| RunVerdict::of(VerdictWord::green(&green.verdict), green, &evidence)),
            lint: Lint::of(run, &evidence),
            sandbox: run.sandbox(),
            usage: UsageTotal::of(&run.usage()),
            usage_by_stage: UsageByStage {
                scaffold: StageUsage::of(&run.scaffold_usage()),
                implement: StageUsage::of(&run.implement_usage()),
            },
            rescue: run.rescue(),
            created_at: &row.created_at,
        }
    }
}

impl<'a> RunVerdict<'a> {
    fn of(word: VerdictWord, result: &'a GateResult, directory: &Path) -> Self {
        Self {
            conclusion: Conclusion::new(word, &result.verdict),
            exit_code: result.verdict.exit_code,
            mutants: result.verdict.mutants.as_ref().map(Mutants::of),
            evidence: Evidence {
                tree: &result.tree,
                command: &result.command,
                output: directory.join(&result.evidence),
                elapsed_ms: result.elapsed_ms,
                grounds: Grounds {
                    checks: &result.verdict.checks,
                    notes: &result.verdict.notes,
                    runs: &result.runs,
                    flags: &result.flags,
                    sandbox: Some(result.sandbox.map_or("", SandboxLevel::as_str).to_owned()),
                },
            },
        }
    }
}

impl Lint {
    fn of(run: &Run, directory: &Path) -> Option<Self> {
        let mut said = serde_json::to_value(run.lint()?).ok()?;
        let verdict = said.as_object_mut()?.remove("lint").unwrap_or_default();
        let kept = run
            .tree()
            .map(|tree| directory.join(format!("lint-{}.txt", tree.short())))
            .filter(|path| path.is_file());
        Some(Self {
            verdict,
            evidence: kept,
            said,
        })
    }
}

impl UsageTotal {
    fn of(usage: &Usage) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "no one spends 2^52 millionths")]
        let cost_usd = usage.micro_usd().map(|cost| cost as f64 / 1_000_000.0);
        Self {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cost_usd,
        }
    }
}

impl StageUsage {
    fn of(usage: &Usage) -> Self {
        Self {
            cached_tokens: usage.cached_tokens,
            total: UsageTotal::of(usage),
        }
    }
}
