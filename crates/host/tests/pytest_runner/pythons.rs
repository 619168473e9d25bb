//! Finding a Python, and making one that has pytest.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use proctor_host::test_runner::{
    PythonSearch, RunnerError, find_python, managed_environment, verify_pytest,
};

use crate::{Tree, inquiry, python, surroundings, system_python};

#[test]
fn a_python_without_pytest_is_an_error_with_the_remedy() {
    let directory = Tree::new(&[]);
    let empty = directory.path().join("venv");
    let output = proctor_host::process::Tool::new(system_python(), directory.path())
        .arguments(["-m", "venv", "--without-pip", "venv"])
        .variables(surroundings())
        .capture()
        .expect("venv is made");
    assert!(output.success());
    let words = vec![empty.join("bin/python").into_os_string()];
    let result = verify_pytest(words, directory.path(), inquiry(&surroundings()));
    let Err(RunnerError::PytestMissing { hint, .. }) = result else {
        panic!("expected a missing pytest, got {result:?}");
    };
    assert!(hint.contains("-m pip install pytest"), "{hint}");
}

#[test]
fn a_version_managers_shim_is_asked_once_and_left_out_afterwards() {
    let directory = Tree::new(&[]);
    let real = python();
    for (place, is_left_out) in [("shims", true), ("wrappers", false)] {
        let name = format!("{place}/python3");
        directory.add(&[(&name, &format!("#!/bin/sh\nexec {real:?} \"$@\"\n"))]);
        let program = directory.path().join(name);
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a mode");
        let words = vec![program.clone().into_os_string()];
        let found =
            verify_pytest(words, directory.path(), inquiry(&surroundings())).expect("has pytest");
        let wanted = if is_left_out { real } else { &program };
        assert_eq!(found, [wanted.as_os_str()], "{place}");
    }
}

#[test]
fn the_configured_command_comes_first_and_the_path_last() {
    let checkout = Tree::new(&[]);
    let environment = vec![("PATH".into(), "/usr/bin:/bin".into())];
    let find = |configured: &[String], environment: &Vec<(OsString, OsString)>| {
        find_python(&PythonSearch {
            configured,
            checkout: checkout.path(),
            inquiry: inquiry(environment),
        })
    };
    let words = ["uv".to_owned(), "run".to_owned(), "pytest".to_owned()];
    assert_eq!(
        find(&words, &environment).expect("configured"),
        ["uv", "run", "pytest"]
    );
    let relative = [".tox/bin/python".to_owned()];
    let found = find(&relative, &environment).expect("configured");
    assert_eq!(
        found,
        [checkout.path().join(".tox/bin/python").into_os_string()]
    );
    assert_eq!(find(&[], &environment).expect("on the path").len(), 1);
    assert!(matches!(find(&[], &Vec::new()), Err(RunnerError::NoPython)));
}

/// Stands in for a Python that can make environments: notes every call in `calls` beside it, and its pip fails while a
/// file `offline` exists.
const MAKER: &str = "\
#!/bin/sh
echo \"$2\" >> \"$MAKER_HOME/calls\"
if [ \"$2\" = venv ]; then mkdir -p \"$3/bin\" && cp \"$0\" \"$3/bin/python\"; exit; fi
if [ -e \"$MAKER_HOME/offline\" ]; then echo 'no route' >&2; exit 1; fi
";

#[test]
fn an_environment_is_made_once_by_parallel_processes_and_again_if_unfinished() {
    let home = Tree::new(&[("maker", MAKER), ("offline", "")]);
    let maker = home.path().join("maker");
    fs::set_permissions(&maker, fs::Permissions::from_mode(0o755)).expect("executable");
    let cache = home.path().join("cache");
    let environment = [
        ("PATH".into(), "/usr/bin:/bin".into()),
        ("MAKER_HOME".into(), home.path().into()),
    ];
    let manage = || managed_environment(&cache, &maker, &environment);
    let calls = || fs::read_to_string(home.path().join("calls")).expect("calls");

    let Err(RunnerError::Environment { reason, .. }) = manage() else {
        panic!("an environment without pytest is none");
    };
    assert_eq!(reason, "no route");
    home.remove("offline");
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(manage)).collect();
        for thread in threads {
            let made = thread.join().expect("no panic").expect("made again");
            assert!(made.starts_with(&cache) && made.ends_with("bin/python"));
        }
    });
    assert_eq!(calls(), "venv\npip\nvenv\npip\n");
}
