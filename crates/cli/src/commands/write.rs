//! `proctor write`

use std::ffi::OsString;
use std::io::{IsTerminal as _, Read as _};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use proctor_core::merge::Merge;
use proctor_core::permission::Autonomy;
use proctor_core::safe_write::Proposal;
use proctor_host::driver::IntakeError;
use proctor_host::files::{FileError, Root};
use proctor_host::safe_write::{CheckoutWriter, Written};

use crate::failure::{Failure, Misuse, Obstacle};
use crate::session::Session;
use crate::terminal::counted;
use crate::wire::{WriteDocument, ok};

/// Write a file without losing what it holds
///
/// The content comes from FILE or standard input. An existing file of more than 100 lines is changed only
/// after you saw what would happen and confirmed it at the terminal; --auto refuses that, --auto --force
/// does it. Every write is in the audit trail, and what it replaced is kept under refs/proctor/rescue.
///
/// Example: proctor write src/cart.py --from new.py --strategy extend
#[derive(Debug, Args)]
pub(crate) struct WriteArguments {
    /// The file, from where you are
    path: OsString,
    /// Where the content comes from; standard input without it
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// How the content comes into an existing file
    #[arg(long, value_enum, default_value_t = StrategyName::Replace)]
    strategy: StrategyName,
    /// With insert: the line that the content begins at, from 1
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    line: Option<i64>,
    /// Ask no questions; refuses what would need an answer
    #[arg(long)]
    auto: bool,
    /// With --auto: replace large files too, which is audited
    #[arg(long)]
    force: bool,
    /// Say what would happen and write nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StrategyName {
    /// At the end
    Append,
    /// At a line
    Insert,
    /// Member by member, by the file's syntax
    Extend,
    /// In place of everything
    Replace,
}

impl WriteArguments {
    fn merge(&self) -> Result<Merge, Misuse> {
        Ok(match (self.strategy, self.line) {
            (StrategyName::Insert, Some(line)) => Merge::Insert { line },
            (StrategyName::Insert, None) => {
                return Err(Misuse::InsertWithoutLine);
            }
            (_, Some(_)) => return Err(Misuse::LineWithoutInsert),
            (StrategyName::Append, None) => Merge::Append,
            (StrategyName::Extend, None) => Merge::Extend,
            (StrategyName::Replace, None) => Merge::Replace,
        })
    }

    fn content(&self, session: &Session<'_>) -> Result<Vec<u8>, Failure> {
        let Some(file) = &self.from else {
            let mut input = std::io::stdin().lock();
            if input.is_terminal() {
                return Err(Misuse::NoContent.into());
            }
            let mut content = Vec::new();
            let read = input.read_to_end(&mut content);
            read.map_err(Obstacle::StandardInput)?;
            return Ok(content);
        };
        let read = std::fs::read(session.directory.join(file));
        Ok(read.map_err(|source| Misuse::Unreadable {
            path: file.clone(),
            source,
        })?)
    }
}

pub(crate) fn write(session: &Session<'_>, arguments: &WriteArguments) -> Result<(), Failure> {
    let merge = arguments.merge()?;
    let (workspace, path) = session.project_path(&arguments.path)?;
    let content = arguments.content(session)?;
    let root = Root::open(workspace.top()).map_err(IntakeError::Root)?;
    let turn = (!arguments.dry_run).then(|| root.take_turn());
    // A path that is not a file is rejected here, before anything else is said about it.
    let before = match root.read_replaceable(&path, u64::MAX) {
        Ok(before) => Some(before),
        Err(FileError::Missing { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let mut proposal = Proposal::new(path, before, content, merge)?;
    let Some(turn) = turn else {
        report(session, &proposal, false);
        return Ok(());
    };
    let autonomy = Autonomy {
        auto: arguments.auto,
        force: arguments.force,
    };
    let mut writer = CheckoutWriter {
        repository: workspace.repository(),
        root: &root,
        clock: session.clock,
        interrupt: &session.interrupt,
        autonomy,
        approver: &mut session.approver(),
    };
    let written = writer.write(&mut proposal, turn).map_err(|error| {
        let failure = session.not_written("write", error);
        failure.details(WriteDocument::of(&proposal, false))
    })?;
    report(session, &proposal, written == Written::Changed);
    Ok(())
}

fn report(session: &Session<'_>, proposal: &Proposal, written: bool) {
    let path = &proposal.path;
    let text = match (written, proposal.changes_nothing()) {
        (true, _) => format!(
            "{path} written: {}, {}",
            proposal.way.key(),
            counted(proposal.new_lines(), "line")
        ),
        (false, true) => format!("{path} is like that already"),
        (false, false) => format!(
            "{path} would be written: {}, {} before, {} after{}",
            proposal.way.key(),
            counted(proposal.existing_lines(), "line"),
            counted(proposal.new_lines(), "line"),
            if proposal.concern().is_some() {
                "; a person has to agree"
            } else {
                ""
            }
        ),
    };
    session
        .output
        .result(text, &ok(WriteDocument::of(proposal, written)));
}
