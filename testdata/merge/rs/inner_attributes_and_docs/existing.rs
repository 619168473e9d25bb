//! Crate.
#![allow(dead_code)]

fn a() {}
