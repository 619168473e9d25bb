//! Signed approvals: signing at a terminal, verifying in a clone, and a server that declines unapproved commits.

mod browsers;
mod forge;
mod hook;
mod long_history;
mod passkeys;
mod rejudging;
mod signing;
mod trail;
mod verifying;
mod wall;
