//! Judging blind: the expected values are cut out of the tests before anything of the project runs, what the code
//! really gives is sent out, and a process that the project never ran in compares the two.
//!
//! [`PythonReader::cut`] gives every test file twice, *cut* and *marked*, and a table that stays outside. The cut
//! files are run in the place of the tests with [`Variant::Blind`](super::Variant::Blind), and if wanted the marked
//! ones, which have the same calls and all the expected values; [`PythonReader::referee`] reads what both sent.
//!
//! This module does not know what becomes of a verdict.

use std::hash::{BuildHasher as _, RandomState};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::analyst::{PythonReader, ReadError};

const CUTTER: &str = concat!(
    include_str!("blind/known.py"),
    include_str!("blind/names.py"),
    include_str!("blind/conditions.py"),
    include_str!("blind/cutter.py"),
    include_str!("blind/tables.py"),
    include_str!("blind/project.py"),
);
const REFEREE: &str = concat!(
    include_str!("blind/known.py"),
    include_str!("blind/content.py"),
    include_str!("blind/referee.py"),
    include_str!("blind/stream.py"),
);

/// The name of the calls in cut files, which nothing that was written before can contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker(u64);

impl Marker {
    fn new() -> Self {
        // The standard library's hash keys are random in every process, and differ from each other.
        Self(RandomState::new().hash_one(std::process::id()))
    }

    pub(super) fn name(self) -> String {
        format!("__proctor_{:016x}__", self.0)
    }
}

/// A test file, or a file that tests take helpers from.
#[derive(Debug, Clone, Serialize)]
pub struct CutSource {
    /// Relative to the tree.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// Test files without what they expect, and what they expect.
#[derive(Debug, Clone)]
pub struct Cut {
    /// The files, in the order given.
    pub files: Vec<CutFile>,
    /// For the run of the cut or of the marked files.
    pub marker: Marker,
    /// Operators, expected values, places. It must never come near the tests' process.
    sealed: Value,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CutFile {
    /// Relative to the tree.
    pub path: String,
    /// Without its expected values; nothing if it could not be cut.
    pub cut: Option<String>,
    /// With them, and with the same calls.
    pub marked: Option<String>,
    /// How many assertions it has, the ones that stay in the process included.
    pub assertions: u32,
    /// Why it could not be cut.
    pub error: Option<String>,
}

/// What a comparison outside of the process said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// It is as the test expects.
    Held,
    /// It is not, or was never sent.
    Failed,
    /// What was sent does not tell; the process alone says that it holds.
    NotJudged,
}

/// What a judgement goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// An expected value that was nowhere in the test's code.
    Value,
    /// An expected value that also stands elsewhere in the cut files: as an input, in another test.
    Visible,
    /// Two values of the process, sent one after the other.
    Both,
    /// Class and state of two objects.
    State,
    /// That two names are one object, which only the process sees.
    Identity,
    /// The class of a value.
    Type,
    /// The class of an exception, and its message if one is expected.
    Exception,
    /// That a text or a container holds something.
    Membership,
    /// That it is larger or smaller.
    Order,
    /// That it is something else.
    Inequality,
    /// That it is true, false or nothing.
    Truth,
}

impl By {
    /// Whether a wrong value would hardly have held.
    pub fn is_telling(self) -> bool {
        matches!(self, Self::Value | Self::Visible | Self::Both | Self::State)
    }
}

/// What became of one place of one test, over all its visits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BlindPlace {
    /// The test, by the id that it has in the cut run: rows of parameters have other names there.
    pub id: String,
    /// The number of the place.
    pub place: u64,
    /// The file it stands in.
    pub path: String,
    /// From 1, in the file as it was given.
    pub line: u32,
    /// The worst of all visits.
    pub judgement: Judgement,
    /// What it goes by, where that is known.
    pub by: Option<By>,
    /// Why it is not held.
    pub reason: Option<String>,
    /// How often the test came by.
    pub visits: u32,
}

/// What became of one test.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BlindTest {
    /// Its id in the cut run.
    pub id: String,
    /// Failed if any place did, or the test itself; held if at least one place was judged.
    pub judgement: Judgement,
    /// What is wrong with it besides its places.
    pub reason: Option<String>,
    /// Places that held.
    pub held: u32,
    /// Those of them that a wrong value would hardly have held.
    pub telling: u32,
    /// Places that did not.
    pub failed: u32,
    /// Places of which the process alone knows.
    pub not_judged: u32,
}

/// A place that no test came to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OpenPlace {
    /// Its number.
    pub place: u64,
    /// The file.
    pub path: String,
    /// From 1.
    pub line: u32,
}

/// A place of a test.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PlaceOf {
    /// The test.
    pub id: String,
    /// The place.
    pub place: u64,
}

/// All that the referee says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BlindReport {
    /// Every place that was reached or owed.
    pub places: Vec<BlindPlace>,
    /// Every test that ran.
    pub tests: Vec<BlindTest>,
    /// What is wrong with the run as a whole; then nothing in it is to be believed.
    pub problems: Vec<String>,
    /// Places without a test.
    pub unreached: Vec<OpenPlace>,
    /// Where the two runs sent something else: the clock, chance, addresses, or code that knows the one from the other.
    pub differing: Vec<PlaceOf>,
}

impl PythonReader<'_> {
    /// Cuts the expected values out of test files. Nothing of them is run.
    pub fn cut(&self, files: &[CutSource]) -> Result<Cut, ReadError> {
        #[derive(Deserialize)]
        struct Answer {
            files: Vec<CutFile>,
            sealed: Value,
        }
        let marker = Marker::new();
        let request = json!({ "files": files, "marker": marker.name() });
        let Answer { files, sealed } = self.ask(CUTTER, &request)?;
        Ok(Cut {
            files,
            marker,
            sealed,
        })
    }

    /// Compares what a run of the cut files sent with what they expect, and if there is one, with a run of the
    /// marked files.
    pub fn referee(
        &self,
        cut: &Cut,
        blind: &str,
        marked: Option<&str>,
    ) -> Result<BlindReport, ReadError> {
        let request = json!({ "sealed": cut.sealed, "records": blind, "marked": marked });
        self.ask(REFEREE, &request)
    }
}
