//! How long a service is waited for, and how often it is asked.

use std::time::Duration;

use jiff::fmt::rfc2822::DateTimeParser;

use super::fault::{Again, Fault, FaultKind};

/// Limits of one request, all of its tries together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// How often at most, the first time included.
    pub(super) tries: u32,
    /// Before the second try; doubled from then on.
    pub(super) first_wait: Duration,
    pub(super) longest_wait: Duration,
    /// Without a single byte.
    pub(super) idle: Duration,
    /// From the first byte sent to the last one received, waits included.
    pub(super) total: Duration,
}

/// A service that does not answer at all will hardly come up in a minute.
const TRIES_TO_CONNECT: u32 = 3;
/// An empty reply is paid for, and the same question mostly has the same answer.
const TRIES_FOR_TEXT: u32 = 2;

impl Default for Patience {
    fn default() -> Self {
        Self {
            tries: 8,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(30),
            idle: Duration::from_mins(5),
            total: Duration::from_mins(20),
        }
    }
}

impl Patience {
    /// How long to wait before the next try, or nothing if there is none. `alike` of the tries failed in this way.
    /// `chance` is between 0 and 1: clients that failed together should not come back together.
    pub(super) fn wait(
        &self,
        fault: &Fault,
        tries: u32,
        alike: u32,
        left: Duration,
        chance: f64,
    ) -> Option<Duration> {
        let most_alike = match fault.kind {
            FaultKind::Connection => TRIES_TO_CONNECT,
            FaultKind::Empty => TRIES_FOR_TEXT,
            _ => self.tries,
        };
        if tries >= self.tries || alike >= most_alike {
            return None;
        }
        let wait = match fault.again {
            Again::Never => return None,
            Again::After(wait) => wait,
            Again::Soon => {
                let doubled = self.first_wait.saturating_mul(1 << (tries - 1).min(16));
                doubled.min(self.longest_wait).mul_f64(1.0 - chance / 4.0)
            }
        };
        (wait < left).then_some(wait)
    }
}

/// `retry-after`: seconds, or a date.
pub(super) fn retry_after(value: &str, now_seconds: i64) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = DateTimeParser::new().parse_timestamp(value).ok()?;
    let seconds = date.as_second().saturating_sub(now_seconds).max(0);
    Some(Duration::from_secs(seconds.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_end() {
        let patience = Patience::default();
        let fault = Fault::again(FaultKind::Unavailable, "x");
        let hour = Duration::from_hours(1);
        let waits: Vec<_> = (1..9)
            .map(|tries| {
                patience
                    .wait(&fault, tries, tries, hour, 0.0)
                    .map(|wait| wait.as_millis())
            })
            .collect();
        let seconds = [500, 1000, 2000, 4000, 8000, 16000, 30000].map(Some);
        assert_eq!(waits[..7], seconds);
        assert_eq!(waits[7], None);
        let wait = patience.wait(&fault, 2, 2, hour, 1.0).expect("a wait");
        assert_eq!(wait.as_millis(), 750);
        let gone = Fault::again(FaultKind::Connection, "x");
        assert_eq!(patience.wait(&gone, 3, 3, hour, 0.0), None);
        assert!(patience.wait(&gone, 3, 2, hour, 0.0).is_some());
        let empty = Fault::again(FaultKind::Empty, "x");
        assert_eq!(patience.wait(&empty, 2, 2, hour, 0.0), None);
    }

    #[test]
    fn a_wait_that_ends_after_the_deadline_is_not_begun() {
        let patience = Patience::default();
        let asked = Fault {
            again: Again::After(Duration::from_mins(2)),
            ..Fault::again(FaultKind::RateLimit, "x")
        };
        let wait = |left| patience.wait(&asked, 1, 1, Duration::from_secs(left), 0.0);
        assert_eq!(wait(121), Some(Duration::from_mins(2)));
        assert_eq!(wait(119), None);
        let never = Fault::never(FaultKind::Key, "x");
        assert_eq!(
            patience.wait(&never, 1, 1, Duration::from_mins(9), 0.0),
            None
        );
    }

    #[test]
    fn the_time_asked_for_is_seconds_or_a_date() {
        assert_eq!(retry_after("7", 0), Some(Duration::from_secs(7)));
        assert_eq!(retry_after(" 0.5 ", 0), Some(Duration::from_millis(500)));
        // A day of 1994, as HTTP writes dates.
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(
            retry_after(date, 784_111_747),
            Some(Duration::from_secs(30))
        );
        assert_eq!(retry_after(date, 900_000_000), Some(Duration::ZERO));
        assert_eq!(retry_after("later", 0), None);
    }
}
