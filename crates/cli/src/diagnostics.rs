//! `PROCTOR_LOG`: internal events, on standard error.
//!
//! Standard output stays for results, and a terminal gets neither live lines nor the pager while the log is on.

use std::io::{self, Write};

use proctor_core::visible::spelled_out;
use proctor_host::surroundings::Surroundings;
use tracing::level_filters::LevelFilter;

use crate::failure::Misuse;

const VARIABLE: &str = "PROCTOR_LOG";

/// Whether anything is to be logged.
pub(crate) fn are_wanted(surroundings: &Surroundings) -> bool {
    level(surroundings).is_ok_and(|level| level != LevelFilter::OFF)
}

/// Has everything of the wanted level printed from now on.
pub(crate) fn start(surroundings: &Surroundings) -> Result<(), Misuse> {
    let level = level(surroundings)?;
    if level != LevelFilter::OFF {
        tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(|| SpelledOut)
            .with_ansi(false)
            .without_time()
            .init();
    }
    Ok(())
}

/// Standard error, behind the filter: log messages quote others too. An event is written whole.
struct SpelledOut;

impl Write for SpelledOut {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        io::stderr().write_all(spelled_out(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

fn level(surroundings: &Surroundings) -> Result<LevelFilter, Misuse> {
    let Some(value) = surroundings.get(VARIABLE) else {
        return Ok(LevelFilter::OFF);
    };
    let value = value.to_string_lossy();
    value.parse().map_err(|_| Misuse::Arguments {
        message: format!("there is no level {value:?}, which {VARIABLE} names"),
        tip: Some("set it to off, error, warn, info, debug or trace".to_owned()),
    })
}
