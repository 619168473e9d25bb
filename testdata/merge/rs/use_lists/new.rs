use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read as _};
