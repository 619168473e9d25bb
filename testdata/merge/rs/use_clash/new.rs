use std::io::Result;
