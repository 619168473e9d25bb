use std::fmt::Result;
