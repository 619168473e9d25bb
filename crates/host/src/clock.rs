//! The only clock. Tests may stop it.

use jiff::Timestamp;

/// Tells the time: the system's, or a fixed one.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    fixed: Option<i64>,
}

impl Clock {
    /// The system's time.
    pub fn system() -> Self {
        Self { fixed: None }
    }

    /// Always the same second since 1970.
    pub fn fixed(seconds: i64) -> Self {
        Self {
            fixed: Some(seconds),
        }
    }

    /// Seconds since 1970.
    pub fn seconds(self) -> i64 {
        self.fixed.unwrap_or_else(|| Timestamp::now().as_second())
    }

    /// Seconds since a time as [`Self::now`] writes it; none if it is not such a time.
    pub fn since(self, moment: &str) -> Option<i64> {
        let moment: Timestamp = moment.parse().ok()?;
        Some(self.seconds() - moment.as_second())
    }

    /// RFC 3339 in UTC, to the second.
    pub fn now(self) -> String {
        Timestamp::from_second(self.seconds())
            .map_or_else(|_| String::new(), |time| time.to_string())
    }
}
