//! The outside world, one folder per thing, obeying the rules of `proctor-core`.

