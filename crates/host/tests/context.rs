//! The meaning of `--context`: files, directories and patterns beneath a real repository.

#![expect(
    clippy::disallowed_methods,
    reason = "tests set up the world that Proctor then works in"
)]

use std::path::Path;

use proctor_core::limits::{ContextProblem, MAX_TOTAL_TOKENS, ProblemKind};
use proctor_core::secrets::AllowedSecrets;
use proctor_host::files::{ContextArguments, Root, load_context};
use proctor_testkit::{Repository, TestEnvironment};

struct World {
    // Keeps the directory.
    _environment: TestEnvironment,
    repository: Repository,
}

impl World {
    fn new() -> Self {
        let environment = TestEnvironment::without_binary();
        let repository = environment.init_repository();
        for (path, content) in [
            (".gitignore", "*.log\n/build/\n!keep.log\n"),
            ("a.py", "a = 1\n"),
            ("src/b.py", "b = 1\n"),
            ("src/deep/c.py", "c = 1\n"),
            ("src/deep/notes.log", "ignored\n"),
            ("src/keep.log", "kept\n"),
            ("src/.hidden.py", "h = 1\n"),
            ("src/local/.gitignore", "d.py\n"),
            ("src/local/d.py", "d = 1\n"),
            ("src/local/e.py", "e = 1\n"),
            ("docs/[id].md", "literal\n"),
            ("docs/i.md", "i\n"),
            ("build/out.py", "out = 1\n"),
        ] {
            repository.write(path, content);
        }
        Self {
            _environment: environment,
            repository,
        }
    }

    fn load_from(&self, here: &str, paths: &[&str]) -> (Vec<String>, Vec<ContextProblem>) {
        let root = Root::open(self.repository.path()).expect("the root is there");
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        let here = self.repository.path().join(here);
        let (files, problems) = load_context(
            &root,
            &ContextArguments {
                paths: &paths,
                here: &here,
                allowed: &AllowedSecrets::default(),
            },
        );
        (files.into_iter().map(|file| file.path).collect(), problems)
    }

    /// The files, if there is no problem.
    fn files(&self, paths: &[&str]) -> Vec<String> {
        let (files, problems) = self.load_from("", paths);
        assert_eq!(problems, [], "{paths:?}");
        files
    }

    /// The one problem, if nothing may be sent.
    fn problem(&self, given: &str) -> ContextProblem {
        let (files, mut problems) = self.load_from("", &[given]);
        assert_eq!(files, [""; 0], "{given}");
        assert_eq!(problems.len(), 1, "{given}: {problems:?}");
        problems.remove(0)
    }
}

#[test]
fn a_directory_means_every_file_below_it_that_git_does_not_ignore() {
    let world = World::new();
    let below = [
        "src/.hidden.py",
        "src/b.py",
        "src/deep/c.py",
        "src/keep.log",
        "src/local/.gitignore",
        "src/local/e.py",
    ];
    for given in ["src", "src/", "./src", "docs/../src"] {
        assert_eq!(world.files(&[given]), below, "{given}");
    }
    let all = world.files(&["."]);
    assert_eq!(all.len(), below.len() + 4, "{all:?}");
    assert!(all.iter().all(|path| !path.contains(".git/")));
}

#[test]
fn a_pattern_means_every_file_that_it_matches() {
    let world = World::new();
    let cases: [(&str, &[&str]); 6] = [
        ("*.py", &["a.py"]),
        ("src/*.py", &["src/.hidden.py", "src/b.py"]),
        (
            "src/**/*.py",
            &[
                "src/.hidden.py",
                "src/b.py",
                "src/deep/c.py",
                "src/local/e.py",
            ],
        ),
        ("src/{b,c}.py", &["src/b.py"]),
        ("**/[bc].py", &["src/b.py", "src/deep/c.py"]),
        ("src/?.py", &["src/b.py"]),
    ];
    for (given, expected) in cases {
        assert_eq!(world.files(&[given]), expected, "{given}");
    }
}

#[test]
fn a_file_whose_name_looks_like_a_pattern_is_that_file() {
    let world = World::new();
    assert_eq!(world.files(&["docs/[id].md"]), ["docs/[id].md"]);
    std::fs::remove_file(world.repository.path().join("docs/[id].md")).unwrap();
    assert_eq!(world.files(&["docs/[id].md"]), ["docs/i.md"]);
}

#[test]
fn a_file_that_is_named_is_taken_even_if_git_ignores_it_and_each_only_once() {
    let world = World::new();
    assert_eq!(
        world.files(&["src/deep/notes.log", "src/deep", "src/deep/c.py"]),
        ["src/deep/notes.log", "src/deep/c.py"]
    );
    assert_eq!(world.files(&["build"]), ["build/out.py"]);
}

#[test]
fn paths_are_meant_from_where_the_person_stands() {
    let world = World::new();
    let (files, problems) = world.load_from("src/deep", &["c.py", "../b.py", "../../a.py", "."]);
    assert_eq!(files, ["src/deep/c.py", "src/b.py", "a.py"]);
    assert_eq!(problems, []);
    let absolute = world.repository.path().join("a.py").display().to_string();
    assert_eq!(world.files(&[&absolute]), ["a.py"]);
    let (_, problems) = world.load_from("src", &["../../x.py"]);
    assert_eq!(problems[0].kind, ProblemKind::Outside);
    assert_eq!(problems[0].location, "../../x.py");
}

#[test]
fn links_are_followed_neither_by_directories_nor_by_patterns() {
    let world = World::new();
    let link = |target: &Path, name: &str| {
        std::os::unix::fs::symlink(target, world.repository.path().join(name)).unwrap();
    };
    link(Path::new("/etc"), "etc");
    link(Path::new("../a.py"), "src/alias.py");
    for given in ["etc", "etc/", "etc/*", "etc/passwd", "etc/**/passwd"] {
        assert_eq!(world.problem(given).kind, ProblemKind::Symlink, "{given}");
    }
    let (files, problems) = world.load_from("", &["src/*.py"]);
    assert_eq!(files, ["src/.hidden.py", "src/b.py"]);
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].kind, ProblemKind::Symlink);
    assert_eq!(problems[0].location, "src/alias.py");
}

#[test]
fn what_means_no_file_is_said() {
    let world = World::new();
    std::fs::create_dir(world.repository.path().join("empty")).unwrap();
    for given in ["empty", "*.rs", "nowhere/*.py", "a.py/*.py", "src/[.py"] {
        let problem = world.problem(given);
        assert_eq!(problem.kind, ProblemKind::Missing, "{given}: {problem:?}");
        assert_eq!(problem.location, given);
    }
    for given in [
        "",
        "../x",
        "../*.py",
        "/etc/*",
        "src/../../x",
        ".git",
        ".git/config",
        ".git/*",
    ] {
        let problem = world.problem(given);
        assert_eq!(problem.kind, ProblemKind::Outside, "{given}: {problem:?}");
    }
}

#[test]
fn secrets_in_a_directory_are_refused_by_name_and_the_rest_is_listed() {
    let world = World::new();
    world.repository.write("src/.env", "X=1\n");
    world.repository.write("src/photo.png", [0x89, b'P', 0]);
    let (files, problems) = world.load_from("", &["src"]);
    assert_eq!(files.len(), 6);
    let found: Vec<_> = problems
        .iter()
        .map(|problem| (problem.kind, problem.location.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (ProblemKind::SecretName, "src/.env"),
            (ProblemKind::NotText, "src/photo.png"),
        ]
    );
}

#[test]
fn what_is_over_the_limit_is_counted_but_not_kept() {
    let world = World::new();
    let text = "a b c d e f g h ".repeat(6_250);
    for number in 0..6 {
        world
            .repository
            .write(format!("large/words{number}.txt"), &text);
    }
    let root = Root::open(world.repository.path()).unwrap();
    let arguments = ContextArguments {
        paths: &["large".to_owned()],
        here: world.repository.path(),
        allowed: &AllowedSecrets::default(),
    };
    let (files, problems) = load_context(&root, &arguments);
    assert_eq!(problems, []);
    let tokens: usize = files.iter().map(|file| file.tokens).sum();
    assert!(tokens > MAX_TOTAL_TOKENS, "{tokens}");
    assert_eq!(files.iter().filter(|file| file.text.is_empty()).count(), 3);
}
