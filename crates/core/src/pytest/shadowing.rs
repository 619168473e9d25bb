//! Files whose mere name puts them between the runner and the tests.
//!
//! The tree comes first on the search path for modules. A file at its top that is called like a module of
//! the standard library, or of the runner, is loaded in that one's place by everything that runs in the
//! process, the runner included.

use crate::path::ProjectPath;

/// Modules that the runner is made of.
const RUNNER: [&str; 10] = [
    "_pytest",
    "exceptiongroup",
    "iniconfig",
    "packaging",
    "pluggy",
    "py",
    "pygments",
    "pytest",
    "tomli",
    "xdist",
];

/// Modules that the interpreter loads when it starts.
const STARTUP: [&str; 2] = ["sitecustomize", "usercustomize"];

/// Why a file that a change brings would act on the runner by its name; `None` for ordinary files.
pub fn acts_on_runner(path: &ProjectPath) -> Option<String> {
    let components: Vec<&str> = path.components().collect();
    let metadata =
        |component: &&str| component.ends_with(".dist-info") || component.ends_with(".egg-info");
    if components.iter().any(metadata) {
        return Some(
            "describes an installed package, which can bring plugins for the runner".to_owned(),
        );
    }
    let name = path.file_name();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if extension.eq_ignore_ascii_case("pth") {
        return Some("is run by the interpreter when it starts".to_owned());
    }
    let top = match components.as_slice() {
        ["src", first, ..] | [first, ..] => *first,
        [] => return None,
    };
    let is_file = components.len() == 1 || (components.len() == 2 && components[0] == "src");
    let module = match (is_file, top.split_once('.')) {
        (true, Some((stem, extension))) => {
            let is_module = extension == "py" || extension == "pyc" || extension.ends_with("so");
            if !is_module {
                return None;
            }
            stem
        }
        (true, None) => return None,
        (false, _) => top,
    };
    if STARTUP.contains(&module) {
        return Some("is run by the interpreter when it starts".to_owned());
    }
    if RUNNER.contains(&module) {
        return Some(format!(
            "would be loaded in the place of the runner's own `{module}`"
        ));
    }
    // A directory shadows a module only if it can be imported as a package.
    let shadows = STANDARD_LIBRARY.binary_search(&module).is_ok() && (is_file || extension == "py");
    shadows.then(|| format!("would be loaded in the place of the standard library's `{module}`"))
}

/// Whether a file of this name is loaded as compiled code, which no reviewer can read.
pub(crate) fn is_compiled(path: &str) -> bool {
    let extension = path.rsplit_once('.');
    extension.is_some_and(|(_, extension)| {
        let extension = extension.to_ascii_lowercase();
        matches!(extension.as_str(), "pyc" | "pyo" | "pyd" | "so")
    })
}

/// Whether a path lies among the interpreter's caches of compiled modules. Nothing is loaded from there while judging.
pub fn is_cache(path: &str) -> bool {
    path.split('/').any(|component| component == "__pycache__")
}

/// The standard library's modules, in order; those that begin with an underscore are left out.
#[rustfmt::skip]
const STANDARD_LIBRARY: &[&str] = &[
    "abc", "aifc", "antigravity", "argparse", "array", "ast", "asynchat", "asyncio", "asyncore",
    "atexit", "audioop", "base64", "bdb", "binascii", "bisect", "builtins", "bz2", "cProfile",
    "calendar", "cgi", "cgitb", "chunk", "cmath", "cmd", "code", "codecs", "codeop",
    "collections", "colorsys", "compileall", "concurrent", "configparser", "contextlib",
    "contextvars", "copy", "copyreg", "crypt", "csv", "ctypes", "curses", "dataclasses",
    "datetime", "dbm", "decimal", "difflib", "dis", "distutils", "doctest", "email", "encodings",
    "ensurepip", "enum", "errno", "faulthandler", "fcntl", "filecmp", "fileinput", "fnmatch",
    "fractions", "ftplib", "functools", "gc", "genericpath", "getopt", "getpass", "gettext",
    "glob", "graphlib", "grp", "gzip", "hashlib", "heapq", "hmac", "html", "http", "idlelib",
    "imaplib", "imghdr", "imp", "importlib", "inspect", "io", "ipaddress", "itertools", "json",
    "keyword", "lib2to3", "linecache", "locale", "logging", "lzma", "mailbox", "mailcap",
    "marshal", "math", "mimetypes", "mmap", "modulefinder", "msilib", "msvcrt",
    "multiprocessing", "netrc", "nis", "nntplib", "nt", "ntpath", "nturl2path", "numbers",
    "opcode", "operator", "optparse", "os", "ossaudiodev", "pathlib", "pdb", "pickle",
    "pickletools", "pipes", "pkgutil", "platform", "plistlib", "poplib", "posix", "posixpath",
    "pprint", "profile", "pstats", "pty", "pwd", "py_compile", "pyclbr", "pydoc", "pydoc_data",
    "pyexpat", "queue", "quopri", "random", "re", "readline", "reprlib", "resource",
    "rlcompleter", "runpy", "sched", "secrets", "select", "selectors", "shelve", "shlex",
    "shutil", "signal", "site", "smtpd", "smtplib", "sndhdr", "socket", "socketserver", "spwd",
    "sqlite3", "sre_compile", "sre_constants", "sre_parse", "ssl", "stat", "statistics",
    "string", "stringprep", "struct", "subprocess", "sunau", "symtable", "sys", "sysconfig",
    "syslog", "tabnanny", "tarfile", "telnetlib", "tempfile", "termios", "textwrap", "this",
    "threading", "time", "timeit", "tkinter", "token", "tokenize", "tomllib", "trace",
    "traceback", "tracemalloc", "tty", "turtle", "turtledemo", "types", "typing", "unicodedata",
    "unittest", "urllib", "uu", "uuid", "venv", "warnings", "wave", "weakref", "webbrowser",
    "winreg", "winsound", "wsgiref", "xdrlib", "xml", "xmlrpc", "zipapp", "zipfile", "zipimport",
    "zlib", "zoneinfo",
];

#[cfg(test)]
mod tests {
    use super::{STANDARD_LIBRARY, acts_on_runner};
    use crate::path::ProjectPath;

    fn acts(path: &str) -> bool {
        let path = ProjectPath::parse(path).expect("a plain path");
        acts_on_runner(&path).is_some()
    }

    #[test]
    fn names_at_the_top_decide() {
        let acting = [
            "json.py",
            "src/random.py",
            "pytest.py",
            "_pytest/runner.py",
            "src/pluggy/__init__.py",
            "collections/__init__.py",
            "sitecustomize.py",
            "src/usercustomize.py",
            "x.pth",
            "app/y.pth",
            "evil-1.0.dist-info/entry_points.txt",
            "src/app.egg-info/entry_points.txt",
            "re.cpython-312-x86_64-linux-gnu.so",
        ];
        for path in acting {
            assert!(acts(path), "{path}");
        }
        let ordinary = [
            "app/json.py",
            "src/app/random.py",
            "json.md",
            "tests/json.py",
            "app/pytest.py",
            "docs/types/x.md",
            "src/app/__init__.py",
            "setup.py",
            "app.py",
            "site/index.html",
            "test_json.py",
        ];
        for path in ordinary {
            assert!(!acts(path), "{path}");
        }
    }

    #[test]
    fn the_list_is_sorted_so_that_it_can_be_searched() {
        assert!(STANDARD_LIBRARY.is_sorted());
        assert!(STANDARD_LIBRARY.len() > 190);
    }
}
