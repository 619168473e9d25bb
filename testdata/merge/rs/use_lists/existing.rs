use std::collections::{BTreeMap, HashMap};
use std::io;
