//! Names of files in a project.
//!
//! [`ProjectPath`] is the gate for names: only its validator builds one, so an unchecked name cannot reach a
//! writer. Links and file types are the host's observations; nothing here looks at a disk.

mod installed;
mod project_path;
mod protected_name;

pub use installed::{INSTALLED_DIRECTORIES, is_installed};
pub use project_path::{PathProblem, ProjectPath};
