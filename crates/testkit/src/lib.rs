//! Shared by Proctor's tests: a clean environment, throw-away repositories, a real terminal and a real pytest.
//!
//! Git, files, terminals and test runners are never mocked: a fake would agree with our beliefs about them, and Proctor
//! exists because beliefs about a test run are not facts. [`TestEnvironment`] is where a test starts; it makes a
//! [`Repository`], runs `proctor` in it and normalises its output. [`Terminal`] plays the person, [`Script`] plays the
//! model, [`LoopbackServer`] the service that must not hear everything, [`ModelServer`] services that speak a
//! [`Protocol`] and fail as told, [`EncryptedDoor`] their encryption, [`pytest_python`] is the runner,
//! [`node_packages`] those of JavaScript.
//!
//! Everything here panics when the world does not cooperate, with all that was seen in the message:
//! a test has no better use for an error value.

#![expect(
    clippy::disallowed_methods,
    reason = "test support sets up the world that Proctor then works in"
)]
#![expect(
    clippy::missing_panics_doc,
    reason = "panicking is how test support fails a test"
)]

mod browser;
mod corpus;
mod encrypted_door;
mod environment;
mod fingerprint;
mod generated_page;
mod loopback;
mod message_style;
mod model_protocol;
mod model_server;
mod node;
mod node_registry;
mod own_files;
mod package_registry;
mod page_client;
mod pages;
mod passkey;
mod published;
mod pytest;
mod repository;
mod run_output;
mod script;
mod ssh_keys;
mod terminal;

pub use browser::Browser;
pub use corpus::{CaseOutcome, Corpus};
pub use encrypted_door::EncryptedDoor;
pub use environment::TestEnvironment;
pub use fingerprint::CheckoutFingerprint;
pub use generated_page::expect_page;
pub use loopback::{LoopbackServer, UnansweredPort};
pub use message_style::assert_message_style;
pub use model_protocol::Protocol;
pub use model_server::{Answer, Hold, ModelServer};
pub use node::{link_packages, node_packages, packages_of};
pub use node_registry::NodePackage;
pub use own_files::{text_files, workspace};
pub use package_registry::{
    SourceDistribution, install_editable, python_with, python_with_linters,
};
pub use page_client::{PageAnswer, PageClient, WaitingPage};
pub use pages::{Block, Link, Page, PageCommand, calls_of, repository_pages};
pub use passkey::{Passkey, TOUCHED, VERIFIED};
pub use published::{NodePublication, Publication, PublishedCheckout, files_in, lay, say_skipped};
pub use pytest::pytest_python;
pub use repository::Repository;
pub use run_output::RunOutput;
pub use script::{Reply, Script, file_reply, files_reply};
pub use ssh_keys::{SshKey, hardware_key_stand_in};
pub use terminal::Terminal;
