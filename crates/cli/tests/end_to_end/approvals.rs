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

use crate::project::{POWERS, Project, TESTS};

/// The small library with an honest commit on top of `origin/main`, approved by Ada, whose key is listed.
pub(crate) fn approved_commit() -> Project {
    let wall = rejudging::library();
    wall.repository
        .git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    wall.repository.write("mathkit/power.py", POWERS);
    wall.repository.write("tests/test_power.py", TESTS);
    wall.repository.commit_all("Powers");
    wall.approve("HEAD");
    Project {
        environment: wall.environment,
        repository: wall.repository,
    }
}
