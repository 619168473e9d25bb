//! Everything that knows JavaScript and TypeScript, and the runners of their tests: vitest, jest and node's own.
//!
//! Files are read by syntax tree, never by running them. A runner's report is turned into the records of
//! [`test_outcome`](crate::test_outcome).

mod configuration;
pub(crate) mod declared;
mod exit_code;
mod file_names;
pub(crate) mod lines;
mod messages;
mod mutants;
pub(crate) mod names;
mod ordered_json;
mod own_package;
mod owners;
pub(crate) mod parsing;
mod prompt;
mod raised;
mod shadowing;
pub(crate) mod spelling;
mod stub;

pub use configuration::held_package_json;
pub use declared::{place_of_module, provides};
pub use exit_code::exit_meaning;
pub use file_names::{is_test_configuration, is_test_file, is_test_module, only_supports_tests};
pub use lines::watched;
pub use mutants::source_lines;
pub use names::{imported_names, imported_paths, lacking_names};
pub use own_package::{OwnPackages, files_of};
pub use owners::attribute_missing_names;
pub use parsing::is_javascript;
pub(crate) use prompt::tests_wanted;
pub use raised::{NOT_REACHED, parse_report};
pub use shadowing::{acts_on_runner, is_cache, is_compiled};
pub use stub::{ModuleForm, module_form, with_stubs};
