//! Handing a descriptor to a process that is already running.
//!
//! A child inherits three descriptors by the standard library; any other one would have to be made inheritable while
//! other threads start other children, which would get it too. So a helper's standard input is a socket, the job's own
//! standard input comes through it, and the socket stays as a leash: when the other end is closed, its holder is gone.

use std::io::{Error, ErrorKind, IoSlice, IoSliceMut, Result};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};

/// Sends a descriptor.
pub(super) fn give(socket: &UnixStream, descriptor: impl AsFd) -> Result<()> {
    let descriptors = [descriptor.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    sendmsg(
        socket,
        &[IoSlice::new(&[0])],
        &mut ancillary,
        SendFlags::NOSIGNAL,
    )?;
    Ok(())
}

/// Waits for a descriptor; programs started later do not inherit it.
pub(super) fn take(socket: &UnixStream) -> Result<OwnedFd> {
    let mut byte = [0];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    recvmsg(
        socket,
        &mut [IoSliceMut::new(&mut byte)],
        &mut ancillary,
        RecvFlags::CMSG_CLOEXEC,
    )?;
    let taken = ancillary.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    taken.ok_or_else(|| {
        Error::new(
            ErrorKind::UnexpectedEof,
            "the process that asked for this job is gone",
        )
    })
}

/// The socket that a helper was started with, away from standard input, where the next program
/// would inherit it.
pub(super) fn own_socket() -> Result<UnixStream> {
    let socket = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    close_stdin()?;
    Ok(UnixStream::from(socket))
}

/// Leaves an empty standard input.
pub(super) fn close_stdin() -> Result<()> {
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    Ok(())
}
