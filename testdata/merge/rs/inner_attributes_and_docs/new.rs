use std::io;

fn b() {}
