//! `proctor report`

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use proctor_host::driver::{Inputs, review_sheet};
use proctor_host::files::write_own;
use proctor_host::run_data::report_page;
use serde_json::json;

use crate::failure::{Failure, Obstacle, Unsafe};
use crate::report::{FIRST_LINE, Report};
use crate::session::{Session, find_any_run};
use crate::wire::ok;

/// Make one page of HTML about a run
///
/// What happened, every attempt, the evidence of both gates test by test, the difference with its flags, tokens,
/// the approval and the audit trail. The page needs nothing else to be read: no script, no network. Prints where
/// it is. Without RUN: the newest.
///
/// Example: proctor report 87 --output run.html
#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// The run; the newest without it
    run: Option<String>,
    /// Where to write it; `-` is standard output. Without it beside the journal, in the git directory. Only an earlier
    /// report is written over
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn report(session: &Session<'_>, arguments: &ReportArguments) -> Result<(), Failure> {
    let workspace = session.workspace()?;
    let (journal, row) = find_any_run(&workspace, arguments.run.as_deref())?;
    let inputs: Option<Inputs> = serde_json::from_str(&row.inputs).ok();
    let sheet = match (row.run.tree(), &inputs) {
        (Some(tree), Some(inputs)) => {
            Some(review_sheet(workspace.repository(), &row, inputs, tree)?)
        }
        _ => None,
    };
    let records = journal.records(Some(row.id.as_str()))?;
    let page = Report {
        row: &row,
        inputs: inputs.as_ref(),
        records: &records,
        chain: journal.verify()?,
        files: sheet.as_ref().map_or(&[][..], |sheet| &sheet.files),
    }
    .page();
    if arguments.output.as_deref() == Some(Path::new("-")) {
        let document = ok(json!({ "run": row.id, "output": null, "html": page }));
        session.output.page(&page, &document);
        return Ok(());
    }
    let output = match &arguments.output {
        Some(output) => output.clone(),
        None => report_page(workspace.repository(), &row.id),
    };
    let path = session.directory.join(&output);
    if !may_be_replaced(&path) {
        return Err(Unsafe::NoReport(output.clone()).into());
    }
    write_own(&path, page.as_bytes()).map_err(|source| Obstacle::Page {
        path: output.clone(),
        source,
    })?;
    let text = output.display();
    let document = ok(json!({ "run": row.id, "output": path, "bytes": page.len() }));
    session.output.result(text, &document);
    Ok(())
}

/// Nothing but an earlier report is written over.
fn may_be_replaced(path: &Path) -> bool {
    match path.symlink_metadata() {
        // Writing it shows whether it can be written.
        Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        Ok(facts) => facts.is_file() && is_report(path),
    }
}

fn is_report(path: &Path) -> bool {
    use std::io::Read as _;
    let mut first = Vec::new();
    let opened = std::fs::File::open(path);
    let read = opened.and_then(|file| file.take(FIRST_LINE.len() as u64).read_to_end(&mut first));
    read.is_ok() && first == FIRST_LINE.as_bytes()
}
