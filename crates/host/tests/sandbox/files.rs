//! A job's write and read access.

use crate::world::{SECRET, World};

/// Tries each path and prints those at which it worked.
const WRITE: &str = "
for path in sys.argv[1:]:
    try:
        with open(path, 'a') as file:
            file.write('x')
        print(path)
    except OSError:
        pass
";

pub(crate) fn only_scratch_can_be_written(world: &World) {
    let forbidden = [
        "tree/new",
        "tree/file",
        "home/new",
        "home/.ssh/id",
        "home/.ssh/new",
        "repository/new",
        "repository/.git/config",
        "other/new",
        "new",
    ];
    let mut paths: Vec<String> = forbidden
        .iter()
        .map(|name| world.root.join(name).display().to_string())
        .collect();
    paths.extend(["/etc/proctor-was-here", "/usr/proctor-was-here"].map(str::to_owned));
    let before: Vec<_> = paths.iter().map(|path| std::fs::read(path).ok()).collect();
    let scratch = world.root.join("scratch/new").display().to_string();
    let mut job = world.python(WRITE);
    job.arguments.extend(paths.iter().map(Into::into));
    job.arguments.push(scratch.clone().into());
    let finished = crate::world::run(&job);
    assert_eq!(finished.output.text(), format!("{scratch}\n"));
    let after: Vec<_> = paths.iter().map(|path| std::fs::read(path).ok()).collect();
    assert_eq!(before, after);
    assert!(world.root.join("scratch/new").is_file());

    world.printed(
        "for change in (lambda: os.remove(root + '/tree/file'),
                        lambda: os.rename(root + '/tree/file', root + '/scratch/file'),
                        lambda: os.mkdir(root + '/tree/directory'),
                        lambda: os.truncate(root + '/tree/file', 0),
                        lambda: os.open(root + '/tree/file', os.O_RDONLY | os.O_TRUNC),
                        lambda: os.link(root + '/tree/file', root + '/tree/link')):
    try:
        change()
        sys.exit('it worked')
    except OSError:
        pass",
    );
    let file = std::fs::read_to_string(world.root.join("tree/file"));
    assert_eq!(file.expect("it is still there"), "plain");
}

/// Prints the content of each path, nothing if it cannot be read.
const READ: &str = "
for path in sys.argv[1:]:
    try:
        with open(path) as file:
            print(file.read(), end='')
    except OSError:
        pass
";

pub(crate) fn credentials_and_hidden_directories_cannot_be_read(world: &World) {
    let secrets = [
        "home/.ssh/id",
        "home/.netrc",
        "repository/.git/config",
        "other/file",
    ];
    for name in secrets {
        let path = world.root.join(name);
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), SECRET);
        let mut job = world.python(READ);
        job.arguments.push(path.into());
        assert_eq!(crate::world::run(&job).output.text(), "", "{name}");
    }
    let mut job = world.python(READ);
    job.arguments
        .extend(["/etc/shadow", "/etc/gshadow"].map(Into::into));
    job.arguments.push(world.root.join("tree/file").into());
    assert_eq!(crate::world::run(&job).output.text(), "plain");
}

pub(crate) fn what_is_readable_in_a_hidden_directory_stays_so(world: &World) {
    let mut job = world.python(&format!("{READ}\nopen('../scratch/here', 'w')"));
    let confinement = job.confinement.as_mut().expect("it is confined");
    confinement.read_only = vec![world.root.join("tree")];
    confinement.hidden = vec![world.root.clone()];
    for name in ["home/.ssh/id", "other/file", "tree/file"] {
        job.arguments.push(world.root.join(name).into());
    }
    let finished = crate::world::run(&job);
    assert_eq!(finished.output.text(), "plain");
    assert_eq!(finished.exit.code(), Some(0));
    assert!(world.root.join("scratch/here").is_file());
}
