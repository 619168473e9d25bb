//! The level without namespaces: the helper gives up rights and becomes the program.
//!
//! Landlock has only rules that allow a path with everything below it, so a hidden place is left out by allowing all of
//! its siblings. A directory with a hidden entry can therefore not be listed; only its other entries can be read.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Error;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::super::helper::{HELPER_WORD, Words};
use super::system_calls::{Filter, deny_system_calls};
use super::view::{Access, View};

/// The stage's name.
pub(in super::super) const CONFINE_STAGE: &str = "confine";

/// The requested version; an older kernel gives what it has, and the probe decides whether that is enough.
const NEWEST: ABI = ABI::V6;

/// Devices that programs expect to be able to open. No terminals: keys typed into another one could
/// be read there.
const DEVICES: [&str; 5] = [
    "/dev/full",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];

/// Semaphores are files here, and without them no process pool starts.
const SHARED_MEMORY: &str = "/dev/shm";

const OPTIONS: [(&str, Access); 2] = [
    ("--read-only", Access::ReadOnly),
    ("--writable", Access::Writable),
];

/// The option that takes unix sockets away.
const NO_UNIX_SOCKETS: &str = "--no-unix-sockets";

/// The words up to the program.
pub(super) fn words(view: &View, helper: &Path, unix_sockets: bool) -> Vec<OsString> {
    let mut view = view.clone();
    view.hide(["/dev"]);
    view.open(DEVICES.map(Path::new));
    view.open([Path::new(SHARED_MEMORY)]);
    let mut words = vec![helper.into(), HELPER_WORD.into(), CONFINE_STAGE.into()];
    if !unix_sockets {
        words.extend([NO_UNIX_SOCKETS.into(), "yes".into()]);
    }
    // A job can read this command line: it lists the allowed paths and not the hidden ones.
    for (path, access) in grants(&view) {
        let option = OPTIONS.iter().find(|(_, meant)| *meant == access);
        words.extend(option.map(|(name, _)| OsString::from(name)));
        words.push(path.into());
    }
    words.push("--".into());
    words
}

/// Becomes the program with fewer rights; returns only if that failed.
#[expect(
    clippy::disallowed_methods,
    reason = "this module is the place that starts processes"
)]
pub(in super::super) fn confine(words: &Words) -> Error {
    let (program, arguments) = match words.command() {
        Ok(command) => command,
        Err(error) => return error,
    };
    match give_up_rights(words) {
        Ok(()) => Command::new(program).args(arguments).exec(),
        Err(error) => error,
    }
}

fn give_up_rights(words: &Words) -> Result<(), Error> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal, setsid};
    // Away from the supervisor's group: signals that the job sends to its own must not reach it.
    setsid()?;
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let grants = words.options().filter_map(|(name, path)| {
        let (_, access) = OPTIONS.iter().find(|(option, _)| *option == name)?;
        Some((Path::new(path), *access))
    });
    drop_capabilities()?;
    restrict(grants).map_err(|error| Error::other(format!("landlock: {error}")))?;
    let supervisor = getppid().map_or(0, |pid| pid.as_raw_nonzero().get());
    deny_system_calls(Filter::Alone {
        supervisor,
        unix_sockets: words.option(NO_UNIX_SOCKETS).is_none(),
        files_can_be_emptied: !can_handle(AccessFs::Truncate),
    })
}

/// Whether the kernel knows a right.
fn can_handle(right: AccessFs) -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(right)
        .is_ok()
}

/// Root keeps its files but not its powers, and no program that it starts gets them back.
fn drop_capabilities() -> Result<(), Error> {
    rustix::thread::set_no_new_privs(true)?;
    for bit in 0..u64::BITS {
        // Fails for those that do not exist, and for all of them without the power to.
        let one = CapabilitySet::from_bits_retain(1 << bit);
        let _ = rustix::thread::remove_capability_from_bounding_set(one);
    }
    rustix::thread::clear_ambient_capability_set()?;
    rustix::thread::set_capabilities(
        None,
        CapabilitySets {
            effective: CapabilitySet::empty(),
            permitted: CapabilitySet::empty(),
            inheritable: CapabilitySet::empty(),
        },
    )?;
    Ok(())
}

fn restrict<'a>(grants: impl Iterator<Item = (&'a Path, Access)>) -> Result<(), RulesetError> {
    let mut ruleset = Ruleset::default()
        // The oldest Landlock that can be used at all.
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    for (path, access) in grants {
        // A path that cannot even be opened as a place cannot be opened by the job either.
        let Ok(place) = PathFd::new(path) else {
            continue;
        };
        ruleset = ruleset.add_rule(PathBeneath::new(place, rights(access, path.is_dir())))?;
    }
    ruleset.restrict_self()?;
    Ok(())
}

fn rights(access: Access, is_directory: bool) -> BitFlags<AccessFs> {
    let all = match access {
        Access::Writable => AccessFs::from_all(NEWEST),
        _ => AccessFs::from_read(NEWEST),
    };
    if is_directory {
        all
    } else {
        all & AccessFs::from_file(NEWEST)
    }
}

/// The places to allow so that nothing hidden is among them.
fn grants(view: &View) -> Vec<(PathBuf, Access)> {
    let mut found = Vec::new();
    let mut open = vec![(PathBuf::from("/"), Access::ReadOnly)];
    while let Some((path, inherited)) = open.pop() {
        let access = view.rule(&path).unwrap_or(inherited);
        if access < Access::ReadOnly {
            let next: BTreeSet<_> = view
                .below(&path)
                .filter_map(|(below, _)| below.strip_prefix(&path).ok()?.components().next())
                .map(|component| path.join(component))
                .collect();
            open.extend(next.into_iter().map(|path| (path, access)));
        } else if view.below(&path).any(|(_, below)| below < access) {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            // A link's target is allowed or not by its own place.
            let own =
                entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
            open.extend(own.map(|entry| (entry.path(), access)));
        } else {
            let more = view.below(&path).filter(|(_, below)| *below > access);
            found.extend(more.map(|(path, access)| (path.to_owned(), access)));
            found.push((path, access));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_a_hidden_place_is_allowed_and_the_place_is_not() {
        let directory = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(directory.path()).unwrap();
        for name in ["home/keys/tree/scratch", "home/work", "other"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        std::os::unix::fs::symlink("keys", root.join("home/link")).unwrap();
        let mut view = View::default();
        view.hide([root.join("home/keys")]);
        view.expose([root.join("home/keys/tree").as_path()]);
        view.open([root.join("home/keys/tree/scratch").as_path()]);
        let mut found: Vec<_> = grants(&view)
            .into_iter()
            .filter_map(|(path, access)| {
                Some((path.strip_prefix(&root).ok()?.to_str()?.to_owned(), access))
            })
            .collect();
        found.sort();
        let expected = [
            ("home/keys/tree", Access::ReadOnly),
            ("home/keys/tree/scratch", Access::Writable),
            ("home/work", Access::ReadOnly),
            ("other", Access::ReadOnly),
        ];
        assert_eq!(
            found,
            expected.map(|(path, access)| (path.to_owned(), access))
        );
    }
}
