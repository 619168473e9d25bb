//! `proctor graph`

use clap::Args;
use proctor_core::workflow::mermaid;
use serde_json::json;

use crate::output::Output;
use crate::wire::ok;

/// Print the state machine as a Mermaid diagram
///
/// The diagram is made from the transition table that the program runs on.
///
/// Example: proctor graph > runs.mmd
#[derive(Debug, Args)]
pub(crate) struct GraphArguments {}

pub(crate) fn graph(output: &Output) {
    let diagram = mermaid();
    output.page(&diagram, &ok(json!({ "mermaid": diagram })));
}
