//! Proctor's own programs in Python, compiled once for each interpreter.
//!
//! A gate starts a dozen of them, and each would be compiled again: nothing that runs beside judged code may write
//! bytecode. So one process, in which no project code runs, compiles them all. The result is kept in the cache
//! directory, which judged code never sees, under a digest of the texts and of the interpreter.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use proctor_core::safe_write::sha256;
use serde_json::json;

use super::analyst::PythonReader;
use crate::files::write_own;

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Program {
    /// The plugin that pytest loads.
    Witness,
    /// Reads test files.
    Analyst,
    /// Reads source files.
    SourceReader,
    /// Cuts the expected values out of test files.
    Cutter,
    /// Compares the values that the tests sent with those that were cut.
    Referee,
    /// Makes mutants of source lines.
    Mutator,
}

/// Compiles the others.
const COMPILER: &str = include_str!("compiler.py");

/// Runs compiled code that precedes the request on standard input.
const LOADER: &str = "\
import marshal, sys
from importlib._bootstrap_external import MAGIC_NUMBER
magic, length = sys.stdin.buffer.readline().split()
if magic.decode() != MAGIC_NUMBER.hex():
    sys.exit('the program was compiled for another Python')
exec(marshal.loads(sys.stdin.buffer.read(int(length))))
";

impl Program {
    const ALL: [Self; 6] = [
        Self::Witness,
        Self::Analyst,
        Self::SourceReader,
        Self::Cutter,
        Self::Referee,
        Self::Mutator,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Witness => "witness",
            Self::Analyst => "analyst",
            Self::SourceReader => "source_reader",
            Self::Cutter => "cutter",
            Self::Referee => "referee",
            Self::Mutator => "mutator",
        }
    }

    /// Its parts, one after the other.
    pub(super) fn text(self) -> &'static str {
        match self {
            // The parts come first: the plugin takes their functions away when it has them.
            Self::Witness => concat!(
                include_str!("blind/exporter.py"),
                include_str!("guard.py"),
                include_str!("lines.py"),
                include_str!("pen.py"),
                include_str!("plugin.py")
            ),
            Self::Analyst => concat!(
                include_str!("syntax.py"),
                include_str!("test_file.py"),
                include_str!("twins.py"),
                include_str!("faults.py"),
                include_str!("surroundings.py"),
                include_str!("analyst.py")
            ),
            Self::SourceReader => {
                concat!(include_str!("syntax.py"), include_str!("source_reader.py"))
            }
            Self::Cutter => concat!(
                include_str!("syntax.py"),
                include_str!("blind/known.py"),
                include_str!("blind/names.py"),
                include_str!("blind/conditions.py"),
                include_str!("blind/cutter.py"),
                include_str!("blind/tables.py"),
                include_str!("blind/project.py"),
            ),
            Self::Referee => concat!(
                include_str!("syntax.py"),
                include_str!("blind/known.py"),
                include_str!("blind/content.py"),
                include_str!("blind/referee.py"),
                include_str!("blind/stream.py"),
            ),
            Self::Mutator => concat!(include_str!("syntax.py"), include_str!("mutator.py")),
        }
    }
}

/// All of them, compiled for one interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledPrograms {
    /// The tag in the names of that interpreter's compiled files.
    tag: String,
    /// Their first bytes, in hexadecimal digits.
    magic: String,
    /// The code of each program, by name.
    code: BTreeMap<String, Vec<u8>>,
}

impl CompiledPrograms {
    /// Those for the Python of this reader: kept from before, or compiled now. None where that fails; the texts do
    /// then.
    pub fn of(reader: &PythonReader<'_>, cache: Option<&Path>) -> Option<Self> {
        let place = cache.and_then(|cache| place(cache, &reader.python()));
        let kept = place.as_ref().and_then(|place| fs::read(place).ok());
        if let Some(programs) = kept.and_then(|kept| Self::read(&kept)) {
            return Some(programs);
        }
        let texts: BTreeMap<&str, &str> = Program::ALL
            .iter()
            .map(|program| (program.name(), program.text()))
            .collect();
        let script = ["-c".into(), COMPILER.into()];
        let request = json!({ "texts": texts }).to_string().into_bytes();
        let made = reader.run(script, request).ok()?;
        let programs = Self::read(&made)?;
        if let Some(place) = place {
            // A result that cannot be kept is compiled again the next time.
            let _ = write_own(&place, &made);
        }
        Some(programs)
    }

    /// From the compiler's output: a line about the interpreter, then for each program a line with its name and length,
    /// and its code.
    fn read(made: &[u8]) -> Option<Self> {
        let (about, mut rest) = line(made)?;
        let (tag, magic) = about.split_once(' ')?;
        let mut code = BTreeMap::new();
        while let Some((head, after)) = line(rest) {
            let (name, length) = head.split_once(' ')?;
            let (program, after) = after.split_at_checked(length.parse().ok()?)?;
            code.insert(name.to_owned(), program.to_vec());
            rest = after;
        }
        let is_whole = rest.is_empty() && code.len() == Program::ALL.len();
        is_whole.then(|| Self {
            tag: tag.to_owned(),
            magic: magic.to_owned(),
            code,
        })
    }

    fn code(&self, program: Program) -> Option<&[u8]> {
        self.code.get(program.name()).map(Vec::as_slice)
    }

    /// The arguments that start a program, and the code before its request on standard input.
    fn start(&self, program: Program) -> Option<([OsString; 2], Vec<u8>)> {
        let code = self.code(program)?;
        let mut input = format!("{} {}\n", self.magic, code.len()).into_bytes();
        input.extend(code);
        Some((["-c".into(), LOADER.into()], input))
    }

    /// A compiled module for a directory `__pycache__`: its name, and its content. It is loaded without a look at the
    /// text beside it; an interpreter that it was not made for takes the text.
    pub(super) fn module(&self, program: Program, name: &str) -> Option<(String, Vec<u8>)> {
        let magic: Option<Vec<u8>> = (0..self.magic.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(self.magic.get(at..at + 2)?, 16).ok())
            .collect();
        let mut content = magic?;
        // Found by its digest, which is not compared.
        content.extend(1_u32.to_le_bytes());
        content.extend([0; 8]);
        content.extend(self.code(program)?);
        Some((format!("{name}.{}.pyc", self.tag), content))
    }
}

/// The first line of these bytes, and the rest.
fn line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    Some((line, &bytes[end + 1..]))
}

/// How a program is started: its arguments, and the code before its request on standard input.
pub(super) fn start(
    programs: Option<&CompiledPrograms>,
    program: Program,
) -> ([OsString; 2], Vec<u8>) {
    programs
        .and_then(|programs| programs.start(program))
        .unwrap_or_else(|| (["-c".into(), program.text().into()], Vec::new()))
}

/// Where those for an interpreter are kept. An interpreter that is started by other words than a path, or by a script
/// such as a version manager's shim, may be another one the next time.
fn place(cache: &Path, python: &[OsString]) -> Option<PathBuf> {
    let [program] = python else {
        return None;
    };
    let real = fs::canonicalize(program).ok()?;
    let mut beginning = [0; 2];
    fs::File::open(&real)
        .ok()?
        .read_exact(&mut beginning)
        .ok()?;
    if beginning == *b"#!" {
        return None;
    }
    let facts = fs::metadata(&real).ok()?;
    let mut grounds = format!(
        "{} {} {} {}.{}",
        real.display(),
        facts.ino(),
        facts.size(),
        facts.mtime(),
        facts.mtime_nsec()
    );
    for program in Program::ALL {
        grounds.push_str(program.text());
    }
    let digest = sha256(grounds.as_bytes());
    Some(cache.join("compiled").join(digest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{Environment, Interrupt, Launcher};
    use proctor_core::gate::SourceText;

    fn with_reader<T>(
        programs: Option<&CompiledPrograms>,
        ask: impl FnOnce(&PythonReader<'_>) -> T,
    ) -> T {
        let environment: Environment = std::env::vars_os().collect();
        ask(&PythonReader {
            command: &[proctor_testkit::pytest_python().into()],
            environment: &environment,
            launcher: &Launcher::plain(),
            interrupt: &Interrupt::never(),
            confinement: None,
            programs,
        })
    }

    #[test]
    fn programs_are_compiled_once_and_answer_as_their_texts_do() {
        let cache = tempfile::tempdir().expect("a directory");
        let compiled = with_reader(None, |reader| {
            CompiledPrograms::of(reader, Some(cache.path()))
        });
        let compiled = compiled.expect("compiled");
        let kept = fs::read_dir(cache.path().join("compiled")).expect("kept");
        let kept: Vec<_> = kept.flatten().map(|entry| entry.path()).collect();
        assert_eq!(kept.len(), 1);
        let read = CompiledPrograms::read(&fs::read(&kept[0]).expect("readable"));
        assert_eq!(read.as_ref(), Some(&compiled));
        // A Python that cannot be started compiles nothing: the cached code is used.
        let again = with_reader(None, |reader| {
            let interrupt = Interrupt::never();
            interrupt.set();
            let reader = PythonReader {
                interrupt: &interrupt,
                ..reader.clone()
            };
            CompiledPrograms::of(&reader, Some(cache.path()))
        });
        assert_eq!(again, Some(compiled.clone()));
        let source = SourceText {
            path: "test_it.py".to_owned(),
            text: "from app import f\n\n\ndef test_it():\n    assert f() == 1\n".to_owned(),
            base: None,
        };
        let ask = |reader: &PythonReader<'_>| {
            let analysis = reader.analyse(std::slice::from_ref(&source));
            let files = analysis.expect("an answer").files;
            files.into_iter().next().expect("one file").tests
        };
        assert_eq!(with_reader(Some(&compiled), ask), with_reader(None, ask));
    }

    #[test]
    fn nothing_is_kept_for_what_may_be_another_python_the_next_time() {
        let directory = tempfile::tempdir().expect("a directory");
        let shim = directory.path().join("python3");
        write_own(&shim, b"#!/bin/sh\nexec python3.11 \"$@\"\n").expect("written");
        let python: OsString = proctor_testkit::pytest_python().into();
        let cache = Path::new("/cache");
        assert_eq!(place(cache, &[shim.into()]), None);
        assert_eq!(
            place(cache, &["uv".into(), "run".into(), "python".into()]),
            None
        );
        assert!(place(cache, &[python]).is_some());
    }

    #[test]
    fn what_was_cut_off_is_not_taken_for_programs() {
        let compiled =
            with_reader(None, |reader| CompiledPrograms::of(reader, None)).expect("compiled");
        let mut made = format!("{} {}\n", compiled.tag, compiled.magic).into_bytes();
        for (name, code) in &compiled.code {
            made.extend(format!("{name} {}\n", code.len()).into_bytes());
            made.extend(code);
        }
        assert_eq!(CompiledPrograms::read(&made), Some(compiled));
        for length in [0, 5, 100, made.len() / 2, made.len() - 1] {
            assert_eq!(CompiledPrograms::read(&made[..length]), None, "{length}");
        }
    }

    /// Judged code can replace a function that is looked up by a built-in name, and would be called.
    #[test]
    fn the_witness_looks_up_no_built_in_function_by_its_name() {
        const SEARCH: &str = "\
import builtins, dis, json, sys, types
text = json.loads(sys.stdin.buffer.read().decode())
whole = compile(text, 'witness', 'exec')
waiting = [one for one in whole.co_consts if isinstance(one, types.CodeType)]
found = set()
while waiting:
    code = waiting.pop()
    found.update(
        '%s: %s' % (code.co_name, one.argval) for one in dis.get_instructions(code)
        if one.opname in ('LOAD_GLOBAL', 'LOAD_NAME') and hasattr(builtins, one.argval)
        and not one.argval.startswith('__'))
    waiting.extend(one for one in code.co_consts if isinstance(one, types.CodeType))
print(sorted(found))
";
        let input = serde_json::to_vec(Program::Witness.text()).expect("a text");
        let found = with_reader(None, |reader| {
            reader.run(["-c".into(), SEARCH.into()], input)
        });
        assert_eq!(String::from_utf8_lossy(&found.expect("an answer")), "[]\n");
    }
}
