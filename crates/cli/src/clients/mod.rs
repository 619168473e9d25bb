//! The JSON of other people's agents: what their hooks report, and the answer in the form that each understands.
//!
//! Nothing is decided here. An answer that does not object is an empty document: saying more than that would allow what the
//! client asks its user about.

mod answering;
mod patch;
mod reading;

pub(crate) use answering::print;
pub(crate) use reading::{Heard, Moment, NotUnderstood, hear};
