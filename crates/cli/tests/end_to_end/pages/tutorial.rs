//! The tutorial, line by line.

use std::path::PathBuf;
use std::process::Command;

use proctor_testkit::{
    PageCommand, Publication, SourceDistribution, Terminal, TestEnvironment, calls_of,
    node_packages, repository_pages, say_skipped, workspace,
};

/// The page.
pub(super) const PAGE: &str = "docs/tutorial.md";

const VITEST: &str = "vitest@^4";

/// A reader who types what the page says.
struct Reader {
    environment: TestEnvironment,
    directory: PathBuf,
}

impl Reader {
    fn new(mut environment: TestEnvironment, directory: PathBuf) -> Self {
        let call = format!(
            "#!/bin/sh\nexec '{}' \"$@\"\n",
            env!("CARGO_BIN_EXE_proctor")
        );
        let shown = environment
            .command("sh")
            .args(["-c", "echo $PATH"])
            .output();
        let before = shown.expect("a shell").stdout;
        let before = String::from_utf8(before).expect("a search path");
        environment.put_program("proctor", &call);
        let own = environment.root().join("bin");
        environment.set_variable("PATH", format!("{}:{}", own.display(), before.trim()));
        Self {
            environment,
            directory,
        }
    }

    fn command(&self, line: &str) -> Command {
        let mut command = self.environment.command("sh");
        command
            .args(["-ec", line])
            .env("PROCTOR", workspace())
            .current_dir(&self.directory);
        command
    }

    /// Types a command and answers if it asks; follows it into another directory.
    #[track_caller]
    fn types(&mut self, command: &PageCommand) {
        let line = format!("{}\n{}", command.text, command.below);
        if command.text.starts_with("proctor run") {
            let mut terminal = Terminal::spawn(&self.command(&line));
            terminal.expect("N4 GreenGate    refused");
            terminal.expect("Type APPROVE");
            terminal.send_line("APPROVE");
            assert_eq!(terminal.wait(), 0, "{line}: {}", terminal.screen());
        } else {
            let output = self.environment.run(self.command(&line));
            assert_eq!(output.code, 0, "{line}: {}", output.normalised());
        }
        for words in calls_of("cd", &command.text) {
            self.directory.push(&words[1]);
        }
    }

    #[track_caller]
    fn git(&self, words: &str) -> String {
        let output = self.environment.run(self.command(&format!("git {words}")));
        output.expect_code(0).stdout.clone()
    }

    /// The commit that the page promises is there, and the checkout is at it.
    #[track_caller]
    fn has_merged(&self, file: &str) {
        let message = self.git("log -1 --format=%B");
        for trailer in [
            "Issue:",
            "Proctor-Run:",
            "Proctor-Red:",
            "Proctor-Green:",
            "Approved-By:",
        ] {
            assert!(message.contains(trailer), "{message}");
        }
        assert!(self.git("show --stat --format= HEAD").contains(file));
        assert_eq!(self.git("status --porcelain"), "");
    }
}

/// The page's commands in Python and in TypeScript: the second part begins where its project is made.
fn parts() -> [Vec<PageCommand>; 2] {
    let pages = repository_pages();
    let page = pages.iter().find(|page| page.path == PAGE);
    let mut python = page.expect("the tutorial is there").commands();
    let second = python
        .iter()
        .position(|command| command.text.starts_with("mkdir titles"))
        .expect("the tutorial has a second part");
    let typescript = python.split_off(second);
    [python, typescript]
}

/// `first` as the registry has it, pinned by its hash.
fn first() -> SourceDistribution {
    let table = workspace().join("testdata/honest/projects.toml");
    let table: toml::Table = std::fs::read_to_string(table)
        .expect("the table is there")
        .parse()
        .expect("the table is TOML");
    let projects = table["project"].as_array().expect("a list of projects");
    let project = projects
        .iter()
        .find(|project| project["name"].as_str() == Some("first"))
        .expect("first is in the table");
    let text = |key: &str| project[key].as_str().expect("a text").to_owned();
    SourceDistribution {
        name: text("name"),
        version: text("version"),
        sha256: text("sha256"),
    }
}

#[test]
fn the_tutorial_in_python_ends_merged() {
    let [commands, _] = parts();
    let release = first();
    let publication = Publication {
        binary: env!("CARGO_BIN_EXE_proctor"),
        release: &release,
        requirements: &["pytest".to_owned()],
        editable: false,
        additions: None,
    };
    let checkout = match publication.checkout() {
        Ok(checkout) => checkout,
        Err(reason) => return say_skipped("the tutorial in Python", &reason),
    };
    let directory = checkout.repository.path().to_owned();
    let mut reader = Reader::new(checkout.environment, directory);
    // The page's first step is done: the release, in a repository, with a pytest.
    let pinned = format!("{}=={}", release.name, release.version);
    assert!(commands[0].text.contains(&pinned), "{}", commands[0].text);
    let start = commands
        .iter()
        .position(|command| command.text == "proctor init");
    for command in &commands[start.expect("the tutorial sets Proctor up")..] {
        reader.types(command);
    }
    reader.has_merged("last.py");
}

#[test]
fn the_tutorial_in_typescript_ends_merged() {
    let installed = match node_packages(&[VITEST]) {
        Ok(installed) => installed.join("node_modules"),
        Err(reason) => return say_skipped("the tutorial in TypeScript", &reason),
    };
    let environment = TestEnvironment::new(env!("CARGO_BIN_EXE_proctor"));
    let directory = environment.root().to_owned();
    let mut reader = Reader::new(environment, directory);
    let [_, mut commands] = parts();
    for command in &mut commands {
        // The packages are here already; only the registry is left out.
        let install = "npm install --save-dev vitest";
        if command.text.contains(install) {
            let here = format!(
                "npm pkg set devDependencies.vitest='^4' && (cp -al '{0}' . || cp -a '{0}' .)",
                installed.display()
            );
            command.text = command.text.replace(install, &here);
        }
        reader.types(command);
    }
    reader.has_merged("src/slug.ts");
}
