//! Mutants: how much tests ask, measured by small mistakes that are put into the code on purpose.
//!
//! A [`Mutant`] is one piece of a source file that is changed. Tests that notice it kill it; one that survives shows a
//! line that could be wrong without anyone noticing. This module defines mutants, the order in which they are tried,
//! their time budget and how they are counted. The host has them made and run; nothing here knows a gate.

mod fate;
mod mutant;
mod report;
mod source_lines;

pub use fate::Fate;
pub use mutant::{Mutant, spread};
pub use report::{MutantReport, MutantRule, Survivor, budget, time_limit};
pub use source_lines::{LinesOf, NeededLine, SourceLines};
