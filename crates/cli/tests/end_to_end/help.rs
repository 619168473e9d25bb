//! The program's help about itself.

use proctor_testkit::TestEnvironment;

fn commands(environment: &TestEnvironment) -> Vec<String> {
    let help = environment.proctor(["--help"]);
    help.expect_code(0);
    let lines = help.stdout.lines();
    let listed = lines.skip_while(|line| *line != "Commands:").skip(1);
    let names = listed.take_while(|line| !line.trim().is_empty());
    names
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|name| name != "help")
        .collect()
}

#[test]
fn every_command_has_a_real_example_in_its_help_and_a_page_for_man() {
    let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    let commands = commands(&environment);
    assert!(commands.len() >= 18, "{commands:?}");
    for command in commands {
        let help = environment.proctor([command.as_str(), "--help"]);
        help.expect_code(0);
        let example = format!("Example: proctor {command}");
        let words = help.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&example), "{command}: {}", help.stdout);
        let page = environment.proctor(["man", &command]);
        page.expect_code(0);
        let title = format!(".TH proctor-{command} 1");
        assert!(page.stdout.contains(&title), "{}", page.stdout);
    }
    let page = environment.proctor(["man"]);
    page.expect_code(0);
    assert!(page.stdout.contains(".TH proctor 1"), "{}", page.stdout);
    let page = environment.proctor(["man", "guard-install"]);
    page.expect_code(0);
    let title = ".TH proctor-guard-install 1";
    assert!(page.stdout.contains(title), "{}", page.stdout);
    for unknown in ["nothing", "guard-nothing", "nothing-install", "guard-"] {
        environment.proctor(["man", unknown]).expect_code(2);
    }
}

#[test]
fn the_help_of_every_command_is_as_it_was_last_read() {
    let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    let own = environment
        .proctor(["--help"])
        .expect_code(0)
        .stdout
        .clone();
    insta::assert_snapshot!("help", own);
    for command in commands(&environment) {
        let help = environment.proctor([command.as_str(), "--help"]);
        let help = &help.expect_code(0).stdout;
        let place = help.find("\nOptions of every command").expect("they are");
        let (of_this, of_every) = help.split_at(place);
        assert!(own.contains(of_every), "{of_every}");
        insta::assert_snapshot!(format!("help_{command}"), of_this);
    }
}

#[test]
fn the_version_names_the_commit_it_was_built_from() {
    let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    let version = environment.proctor(["--version"]);
    version.expect_code(0);
    let words: Vec<&str> = version.stdout.split_whitespace().collect();
    assert_eq!(words[..2], ["proctor", env!("CARGO_PKG_VERSION")]);
    // A source tree without git has no commit to name.
    if let Some(commit) = words.get(2) {
        let digits = commit.trim_matches(['(', ')']);
        assert!(
            digits.chars().all(|digit| digit.is_ascii_hexdigit()),
            "{commit}"
        );
    }
}
