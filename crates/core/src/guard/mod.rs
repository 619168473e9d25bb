//! The guard: the gates inside a coding agent that somebody else wrote.
//!
//! A [`Session`] belongs to one checkout and says how far its change is: open, sealed, green, committed, or broken because
//! a sealed file drifted. [`decide`] takes what a client's hook reports and says what has to be found out first, or the
//! answer and the session after it. It knows neither clients nor their JSON; files come to it by their [`Role`], which
//! [`crate::dialect`] decides, and commands by their [`Wish`]es.
//!
//! What is read from a command is advice: a shell can say everything in another way. What holds is the judgement of the
//! tree, in git's hooks and on a server.

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
