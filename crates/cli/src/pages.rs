//! The pages of the repository against the program: each command, setting and JSON text on them is one that it accepts.

use clap::Parser as _;
use clap::error::ErrorKind;
use proctor_core::workflow::mermaid;
use proctor_host::settings::SettingsFile;
use proctor_testkit::{Page, calls_of, repository_pages, workspace};

use crate::commands::Arguments;

/// Problems of a call that stands for all of its kind, such as `proctor write PATH`: it may lack a part.
const UNFINISHED: [ErrorKind; 3] = [
    ErrorKind::MissingRequiredArgument,
    ErrorKind::MissingSubcommand,
    ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
];

/// Why the program does not accept a call.
fn refused(words: &[String], may_be_unfinished: bool) -> Option<String> {
    let error = Arguments::try_parse_from(words).err()?;
    let is_fine = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
        kind => may_be_unfinished && UNFINISHED.contains(&kind),
    };
    let sentence = error.to_string();
    (!is_fine).then(|| sentence.lines().next().unwrap_or_default().to_owned())
}

/// Whether a call is one of a command for people: `proctor COMMAND --help` is about all of them, and `proctor __exec` is
/// Proctor starting itself.
fn names_a_command(words: &[String]) -> bool {
    words.get(1).is_some_and(|word| {
        !word.starts_with("__") && word.chars().any(|letter| !letter.is_ascii_uppercase())
    })
}

/// The calls on a page that are not accepted, and the number of all.
fn refused_calls(page: &Page) -> (Vec<String>, usize) {
    // In a block without a language, as in running text, a call may be an example of its kind.
    let plain = page
        .blocks()
        .into_iter()
        .filter(|it| it.language.is_empty());
    let lines = plain.flat_map(|block| {
        let lines: Vec<String> = block.text.lines().map(str::to_owned).collect();
        lines
    });
    let mentioned = page.code_spans().into_iter().chain(lines);
    let typed = page
        .commands()
        .into_iter()
        .map(|command| (command.text, false));
    let mut number = 0;
    let mut refusals = Vec::new();
    for (line, may_be_unfinished) in typed.chain(mentioned.map(|line| (line, true))) {
        for words in calls_of("proctor", &line) {
            let words: Vec<String> = words.into_iter().filter(|word| word != "…").collect();
            if !names_a_command(&words) {
                continue;
            }
            number += 1;
            let refusal = refused(&words, may_be_unfinished);
            refusals.extend(refusal.map(|why| format!("{}: {line}: {why}", page.path)));
        }
    }
    (refusals, number)
}

/// The blocks and here-documents of a page that are settings or JSON and cannot be read, and the number of all.
fn unreadable_texts(page: &Page) -> (Vec<String>, usize) {
    let mut number = 0;
    let mut unreadable = Vec::new();
    let mut judge = |name: String, problem: Option<String>| {
        number += 1;
        unreadable.extend(problem.map(|why| format!("{}: {name}: {why}", page.path)));
    };
    let settings = |text: &str| {
        SettingsFile::parse(text)
            .err()
            .map(|error| error.to_string())
    };
    for block in page.blocks() {
        let name = format!("the block in line {}", block.line);
        match block.language.as_str() {
            "toml" => judge(name, settings(&block.text)),
            "json" => {
                let values = serde_json::Deserializer::from_str(&block.text).into_iter();
                let read: Result<Vec<serde_json::Value>, _> = values.collect();
                judge(name, read.err().map(|error| error.to_string()));
            }
            _ => {}
        }
    }
    for command in page.commands() {
        if command.text.starts_with("cat >> proctor.toml") {
            judge(command.text, settings(&command.below));
        }
    }
    (unreadable, number)
}

/// The inputs that a page's recipes give to the action of this repository, and the outputs that they take from it.
fn uses_of_the_action(page: &Page) -> Vec<(&'static str, String)> {
    let recipes = page.blocks().into_iter().filter(|it| it.language == "yaml");
    let mut uses = Vec::new();
    for recipe in recipes {
        for step in recipe.text.split("uses: OWNER/proctor@").skip(1) {
            // Up to the next step; the values are quoted, so every second piece is outside of them.
            let own = step.split("\n      - ").next().unwrap_or_default();
            let inputs = own.split_once("with: {").map_or("", |(_, inputs)| inputs);
            let names = inputs.split('"').step_by(2).filter_map(|outside| {
                let name = outside.trim_matches([',', ' ', ':', '}', '\n']);
                (!name.is_empty()).then(|| name.to_owned())
            });
            uses.extend(names.map(|name| ("inputs", name)));
        }
        for output in recipe.text.split("steps.proctor.outputs.").skip(1) {
            let name = output.split(|it: char| !it.is_alphanumeric()).next();
            uses.extend(name.map(|name| ("outputs", name.to_owned())));
        }
    }
    uses
}

/// Every problem on the pages, and what they are about in numbers.
fn of_all_pages(judge: impl Fn(&Page) -> (Vec<String>, usize)) -> (Vec<String>, usize) {
    let mut all = (Vec::new(), 0);
    for page in repository_pages() {
        let (problems, number) = judge(&page);
        all.0.extend(problems);
        all.1 += number;
    }
    all
}

#[test]
fn every_call_on_a_page_is_one_that_the_program_accepts() {
    let (refusals, number) = of_all_pages(refused_calls);
    assert!(number > 150, "only {number} calls were found");
    assert!(refusals.is_empty(), "{}", refusals.join("\n"));
}

#[test]
fn every_setting_and_json_text_on_a_page_can_be_read() {
    let (unreadable, number) = of_all_pages(unreadable_texts);
    assert!(number > 4, "only {number} texts were found");
    assert!(unreadable.is_empty(), "{}", unreadable.join("\n"));
}

#[test]
fn the_recipes_use_inputs_and_outputs_that_the_action_has() {
    let action = std::fs::read_to_string(workspace().join("action.yml")).expect("it is there");
    let has = |section: &str, name: &str| {
        let (_, rest) = action
            .split_once(&format!("\n{section}:\n"))
            .expect("a section");
        let own = rest.lines().take_while(|line| line.starts_with(' '));
        own.into_iter().any(|line| line == format!("  {name}:"))
    };
    let pages = repository_pages();
    let uses: Vec<_> = pages.iter().flat_map(uses_of_the_action).collect();
    assert!(uses.len() > 3, "the recipes were not found: {uses:?}");
    for (section, name) in uses {
        assert!(has(section, &name), "action.yml has no {name} in {section}");
    }
    let page = Page::new(
        "page.md",
        "```yaml\n      - uses: OWNER/proctor@v1\n        with: { base: \"${{ a.b }}\", rejugde: \"true\" }\n```",
    );
    let names: Vec<_> = uses_of_the_action(&page)
        .into_iter()
        .map(|(_, name)| name)
        .collect();
    assert_eq!(names, ["base", "rejugde"]);
    assert!(!has("inputs", "rejugde"));
}

/// The picture contains the diagram that it was drawn from.
#[test]
fn the_picture_of_the_stages_is_drawn_from_this_table() {
    let picture =
        std::fs::read_to_string(workspace().join("docs/states.svg")).expect("it is there");
    let described = picture
        .split_once("<desc>")
        .and_then(|(_, rest)| rest.split_once("</desc>"))
        .map(|(diagram, _)| {
            diagram
                .replace("&gt;", ">")
                .replace("&lt;", "<")
                .replace("&amp;", "&")
        });
    assert_eq!(
        described.as_deref(),
        Some(mermaid().as_str()),
        "scripts/pictures states draws it"
    );
}

#[test]
fn a_call_with_a_wrong_word_is_not_accepted() {
    let cases = [
        ("```console\n$ proctor gate red\n```", 0),
        ("```console\n$ true && proctor gate blue\n```", 1),
        ("```console\n$ proctor run --issue\n```", 1),
        ("```console\n$ proctor write\n```", 1),
        ("```yaml\n- run: proctor gate change --bse main\n```", 1),
        ("```sh\nexec proctor verify --hook pre-push-ups\n```", 1),
        ("```\nproctor stauts\n```", 1),
        ("`proctor write` and `proctor guard`", 0),
        ("`proctor COMMAND --help`", 0),
        ("`proctor write --loudly`", 1),
        ("`proctor guard instal`", 1),
        ("`cat proctor.toml` and `.proctor/`", 0),
    ];
    for (text, wanted) in cases {
        let (refusals, _) = refused_calls(&Page::new("page.md", text));
        assert_eq!(refusals.len(), wanted, "{text}: {refusals:?}");
    }
}

#[test]
fn a_setting_that_does_not_exist_cannot_be_read() {
    let cases = [
        ("```toml\n[sandbox]\nmode = \"off\"\n```", 0),
        ("```toml\n[sandbox]\nmood = \"off\"\n```", 1),
        ("```toml\n[sandbox\n```", 1),
        (
            "```console\n$ cat >> proctor.toml\n[approval]\nsing = \"ssh\"\n```",
            1,
        ),
        ("```json\n{\"a\": 1}\n{\"b\": []}\n```", 0),
        ("```json\n{\"a\": 1,}\n```", 1),
    ];
    for (text, wanted) in cases {
        let (unreadable, number) = unreadable_texts(&Page::new("page.md", text));
        assert_eq!(
            (unreadable.len(), number),
            (wanted, 1),
            "{text}: {unreadable:?}"
        );
    }
}
