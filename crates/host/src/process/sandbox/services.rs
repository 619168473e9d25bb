//! Services that listen on a unix socket and would do a job's work for it.
//!
//! A session bus starts programs, a terminal multiplexer types into terminals, an agent signs. They
//! see the person who connects, not the sandbox. Bubblewrap hides such a socket like a file;
//! Landlock cannot, so where one listens a job gets no unix sockets but connected pairs.

use std::collections::BTreeSet;
use std::fs::FileType;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};

/// Where sockets of other network namespaces show, as in a container that was given one, and how
/// deep to look.
const PLACES: [(&str, usize); 2] = [("/run", 4), ("/tmp", 3)];

/// Services that answer everyone and do nothing.
const HARMLESS: [&str; 4] = [
    "/run/nscd/",
    "/run/systemd/journal/",
    "/run/systemd/resolve/",
    "/run/systemd/userdb/",
];

/// The kernel's mark of a listening socket in its own list.
const LISTENING: &str = "00010000";

/// Every socket on which a service answers this user.
pub(super) fn services() -> Vec<PathBuf> {
    let mut found = listed();
    for (place, depth) in PLACES {
        search(Path::new(place), depth, &mut found);
    }
    found.retain(|path| {
        let harmless = HARMLESS.iter().any(|prefix| path.starts_with(prefix));
        !harmless && answers(path)
    });
    found.into_iter().collect()
}

/// Listening sockets with a name in the file system, from the kernel's list.
fn listed() -> BTreeSet<PathBuf> {
    let list = std::fs::read("/proc/net/unix").unwrap_or_default();
    let list = String::from_utf8_lossy(&list);
    list.lines()
        .filter_map(|line| {
            // Address, references, protocol, flags, type, state, number, name.
            let mut fields = line.splitn(8, ' ').filter(|field| !field.is_empty());
            (fields.nth(3)? == LISTENING).then_some(())?;
            let name = line.find(" /").map(|start| &line[start + 1..])?;
            Some(PathBuf::from(name))
        })
        .collect()
}

fn search(directory: &Path, depth: usize, found: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let kind = entry.file_type();
        if kind.as_ref().is_ok_and(FileType::is_socket) {
            found.insert(entry.path());
        } else if depth > 1 && kind.is_ok_and(|kind| kind.is_dir()) {
            search(&entry.path(), depth - 1, found);
        }
    }
}

/// Whether a connection is accepted; without waiting, because a service that does not answer may still be there.
fn answers(path: &Path) -> bool {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let Ok(socket) = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None) else {
        return false;
    };
    let address = SocketAddrUnix::new(path);
    let connected = address.and_then(|address| connect(&socket, &address));
    matches!(connected, Ok(()) | Err(Errno::AGAIN | Errno::INPROGRESS))
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::{UnixDatagram, UnixListener};

    use super::*;

    #[test]
    fn a_socket_counts_if_a_process_answers_on_it() {
        let directory = tempfile::tempdir().unwrap();
        let [alive, dead, other] =
            ["alive", "dead", "other"].map(|name| directory.path().join(name));
        let _listener = UnixListener::bind(&alive).unwrap();
        drop(UnixListener::bind(&dead).unwrap());
        let _datagrams = UnixDatagram::bind(&other).unwrap();
        let found = services();
        assert!(found.contains(&alive), "{found:?}");
        assert!(
            !found.contains(&dead) && !found.contains(&other),
            "{found:?}"
        );
        assert!(listed().contains(&alive));
    }
}
