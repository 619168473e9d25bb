//! Crate.
#![allow(dead_code)]

use std::io;

fn a() {}

fn b() {}
