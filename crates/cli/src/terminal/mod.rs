//! A person's screen and input.
//!
//! Everything for people goes through one [`Screen`] on standard error: results for programs have standard output to
//! themselves, and drawing and questions never get into each other's way. [`Progress`] shows a run's activity,
//! [`TerminalApprover`] shows the diff and asks.
//!
//! Most of the words on the screen come from a model, from its tests or from a repository. A [`Line`] always spells
//! them out: a reviewer decides by the screen, so no shown text may repaint it.

mod comments;
mod diff_view;
mod document;
mod emphasis;
mod few_names;
mod file_diff;
mod gate_words;
mod keyboard;
mod live;
mod moves;
mod outcome;
mod pager;
mod policy;
mod progress;
mod prompt;
mod replacement_view;
#[cfg(test)]
mod sample;
mod screen;
mod stat_table;
mod style;
mod text;
mod waiting;
mod wrap;
mod write_prompt;

pub(crate) use diff_view::{first_lines, notices, review_lines};
pub(crate) use few_names::installed_words;
pub(crate) use file_diff::{FileDiff, place_in_file};
pub(crate) use gate_words::mutant_lines;
pub(crate) use outcome::{Mark, Outcome};
#[cfg(test)]
pub(crate) use pager::PAGER_KEYS;
pub(crate) use pager::{FirstLook, give_terminal_back};
pub(crate) use progress::{Progress, Verbosity};
pub(crate) use prompt::{ReviewAnswer, TerminalApprover, review_question};
pub(crate) use screen::{Screen, columns_of};
pub(crate) use stat_table::stat_text;
pub(crate) use style::{ColourChoice, Ink, Line};
pub(crate) use text::{counted, grouped, hanging, padded, phrase, width};
pub(crate) use wrap::wrapped;
