//! The built binary from the outside: real git, real pytest, real terminals.

#![expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that Proctor then works in, and fail where it does not cooperate"
)]

mod agents;
mod applying;
mod approvals;
mod bad_input;
mod checking;
mod counterparts;
mod crashes;
mod desk;
mod diagnostics;
mod edits;
mod egress;
mod everyday;
mod full_disk;
mod gates;
mod good_run;
mod guard;
mod hard_reviews;
mod help;
mod hidden_checkout;
mod honest_habits;
mod honest_screens;
mod javascript;
mod kinds;
mod linting;
mod merging;
mod messages;
mod notifying;
mod odd_checkouts;
mod one_write_path;
mod own_interpreter;
mod pager;
mod pages;
mod preparing;
mod project;
mod records;
mod refusals;
mod reporting;
mod review;
mod services;
mod setting_up;
mod shown_text;
mod trusting;
mod way_back;
mod whole_run;
mod working_changes;
mod write_faults;
mod writing;
