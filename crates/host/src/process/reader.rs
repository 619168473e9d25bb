//! Reads a job's pipe, or its record stream, in a thread that can always be told to stop.
//!
//! A grandchild that left the process group may keep the pipe open for as long as it likes. The
//! reader therefore waits for two things at once, the pipe and a second one whose closing means
//! "enough"; without it the thread, and the pipe, would stay for as long as the grandchild.

use std::io::{PipeReader, Read};
use std::os::fd::AsFd;
use std::sync::mpsc::SyncSender;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

/// Which of a job's streams something came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stream {
    /// Standard output, where it is kept apart.
    Stdout,
    /// Everything else that it prints.
    Rest,
    /// The job's records.
    Records,
}

/// A message from the threads around a job.
#[derive(Debug)]
pub(super) enum Message {
    /// Bytes arrived.
    Chunk(Stream, Vec<u8>),
    /// A stream is at its end.
    Closed,
    /// The job's process ended; it is not yet reaped.
    Exited,
}

const CHUNK_BYTES: usize = 64 * 1024;

/// Reads `pipe` until its end, until `stop` is closed, or until the receiver is gone.
pub(super) fn read_stream(
    stream: Stream,
    mut pipe: impl Read + AsFd,
    stop: &PipeReader,
    messages: &SyncSender<Message>,
) {
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        let mut wanted = [
            PollFd::new(&pipe, PollFlags::IN),
            PollFd::new(stop, PollFlags::IN),
        ];
        match poll(&mut wanted, None) {
            Err(Errno::INTR) => continue,
            Err(_) => break,
            Ok(_) if !wanted[1].revents().is_empty() => return,
            Ok(_) => {}
        }
        match pipe.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => {
                let chunk = Message::Chunk(stream, buffer[..length].to_vec());
                if messages.send(chunk).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    // A missing receiver is the ordinary end of a job that was given up.
    let _ = messages.send(Message::Closed);
}
