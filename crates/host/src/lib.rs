//! The outside world, one folder per thing, obeying the rules of `proctor-core`.

pub mod clock;
pub mod files;
pub mod process;
pub mod surroundings;
