//! The terminal in full-screen mode, always restored afterwards.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use rustix::stdio::stdin;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

/// The alternate screen, so that the person's own screen comes back; no cursor.
const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[2J";
const LEAVE: &str = "\x1b[0m\x1b[?25h\x1b[?1049l";

/// How the terminal was. Global because a panic has to find it too, before it says anything.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// Input is not echoed; dropping it ends that.
#[derive(Debug)]
pub(in crate::terminal) struct FullScreen;

impl FullScreen {
    pub(super) fn enter() -> io::Result<Self> {
        let before = tcgetattr(stdin())?;
        set(&before, LocalModes::ECHO)?;
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        let screen = Self;
        screen.draw(ENTER)?;
        Ok(screen)
    }

    /// From now on every key comes at once, also those that end or stop a program.
    #[expect(
        clippy::unused_self,
        reason = "only who has the terminal takes its keys"
    )]
    pub(super) fn take_keys(&self) -> io::Result<()> {
        let keys = LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN;
        // Locked only for the look: the panic handler looks, too.
        let before = BEFORE
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        before.map_or(Ok(()), |before| set(&before, keys | LocalModes::ECHO))
    }

    /// Sends something to the terminal as it is.
    #[expect(clippy::unused_self, reason = "only who has the terminal draws on it")]
    pub(super) fn draw(&self, text: &str) -> io::Result<()> {
        let mut stderr = io::stderr().lock();
        stderr.write_all(text.as_bytes())?;
        stderr.flush()
    }
}

/// The terminal's own modes without some of them.
fn set(before: &Termios, without: LocalModes) -> io::Result<()> {
    let mut modes = before.clone();
    modes.local_modes -= without;
    modes.special_codes[SpecialCodeIndex::VMIN] = 1;
    modes.special_codes[SpecialCodeIndex::VTIME] = 0;
    // Input typed before there was anything to see is discarded.
    Ok(tcsetattr(stdin(), OptionalActions::Flush, &modes)?)
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        restore();
    }
}

/// Gives the terminal back, if it was taken.
pub(crate) fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(before) = before {
        let mut stderr = io::stderr().lock();
        // If the terminal is gone, there is nothing to restore.
        let _ = stderr.write_all(LEAVE.as_bytes());
        let _ = stderr.flush();
        let _ = tcsetattr(stdin(), OptionalActions::Flush, &before);
    }
}
