//! The JSON of other people's agents: their hooks' events, and the answer in the form that each understands.
//!
//! Nothing is decided here. An answer that does not object is an empty document: saying more would allow actions that
//! the client asks its user about.

mod answering;
mod patch;
mod reading;

pub(crate) use answering::print;
pub(crate) use reading::{Heard, Moment, NotUnderstood, hear};
