use std::collections::{BTreeMap, HashMap, BTreeSet};
use std::io;
use std::io::Read as _;
