//! The guard: the gates inside another coding agent.
//!
//! A [`Session`] belongs to one checkout and says how far its change is: open, sealed, green, committed, or broken
//! because a sealed file drifted. [`decide`] takes the event that a client's hook reports and returns the fact that has
//! to be determined first, or the answer and the next session. It knows neither clients nor their JSON; files come to
//! it by their [`Role`], which [`crate::dialect`] decides, and commands by their [`Wish`]es.
//!
//! Whatever is read from a command is only advice: a shell offers other ways to do anything. The guarantee is the
//! judgement of the tree, in git's hooks and on a server.

mod client;
mod command;
mod decision;
mod json_text;
mod role;
mod session;
mod words;

pub use client::Client;
pub use command::{AGENT_MARKS, Command, Wish};
pub use decision::{Answer, ChangeFound, Effect, Event, Known, Place, RedFound, Step, decide};
pub use json_text::{JsonTextError, append, remove};
pub use role::{Role, is_machinery, is_scratch, role_of};
pub use session::{Green, Seal, SealedFile, Session, Stage, Work};
pub use words::rules;
