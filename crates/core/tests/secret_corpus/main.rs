//! How much the search for secrets finds, and how often it is wrong, on a corpus that is made up
//! when the test runs. `cargo test -p proctor-core --test secret_corpus -- --nocapture` prints a
//! line a kind.

#![expect(
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "the table of shares is what the test is for"
)]

mod generator;
mod harmless;
mod kinds;
mod properties;

use std::collections::BTreeMap;

use generator::Random;
use kinds::{Form, KINDS};
use proctor_core::secrets::{SecretFinding, find_secrets, mask_secrets};

/// Secrets made of each shape of each kind.
const VARIANTS: usize = 20;

/// One text with one secret in it.
struct Case {
    text: String,
    secret: String,
}

/// How a value with a name is written in programs, files, commands and reports.
const NAMED: [fn(&str, &str) -> String; 14] = [
    |name, value| format!("{name} = \"{value}\"\n"),
    |name, value| format!("const {name} = '{value}';\n"),
    |name, value| format!("server:\n  {name}: {value}\n  port: 80\n"),
    |name, value| format!("DEBUG=1\n{name}={value}\nPORT=80\n"),
    |name, value| format!("{{\"user\": \"me\", \"{name}\": \"{value}\", \"port\": 80}}\n"),
    |name, value| format!("provider \"x\" {{\n  {name}   = \"{value}\"\n}}\n"),
    |name, value| format!("export {name}='{value}'\n"),
    |name, value| format!("curl -d '{name}={value}' https://api.acme.io/v1\n"),
    |name, value| format!("E       AssertionError: assert {{'{name}': '{value}'}} == {{}}\n"),
    |name, value| format!("config[\"{name}\"] = \"{value}\"\n"),
    |name, value| format!("tool --{} {value} --verbose\n", name.replace('_', "-")),
    |name, value| format!("[{{\"name\": \"{name}\", \"value\": \"{value}\"}}]\n"),
    |name, value| format!("env:\n  - name: {name}\n    value: {value}\n"),
    |name, value| format!("{name}: |\n  {value}\nport: 80\n"),
];

/// How a value without a name turns up.
const UNNAMED: [fn(&str) -> String; 6] = [
    |value| format!("curl -H \"Authorization: Bearer {value}\" https://api.acme.io/v1\n"),
    |value| format!("2024-05-01 12:00:00,123 INFO connecting with {value} to the service\n"),
    |value| format!("E       AssertionError: assert '{value}' == ''\n"),
    |value| format!("login(\"{value}\")\n"),
    |value| format!("\u{1b}[31m{value}\u{1b}[0m\n"),
    |value| format!("see https://acme.io/?x={value}&y=1.\n"),
];

fn cases(form: &Form, random: &mut Random) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |text: String, secret: &str| {
        assert!(text.contains(secret), "{text}");
        cases.push(Case {
            text,
            secret: secret.to_owned(),
        });
    };
    for _ in 0..VARIANTS {
        match form {
            Form::Token(shapes) => {
                for shape in *shapes {
                    let value = random.fill(shape);
                    for surround in NAMED {
                        add(surround("value", &value), &value);
                        add(surround("API_TOKEN", &value), &value);
                    }
                    for surround in UNNAMED {
                        add(surround(&value), &value);
                    }
                }
            }
            Form::Named(names, shapes) => {
                for (name, shape) in names
                    .iter()
                    .flat_map(|name| shapes.iter().map(move |shape| (name, shape)))
                {
                    let value = random.fill(shape);
                    for surround in NAMED {
                        add(surround(name, &value), &value);
                    }
                }
            }
            Form::Whole(make) => {
                for _ in 0..4 {
                    let (text, secret) = make(random);
                    add(text, &secret);
                }
            }
        }
    }
    cases
}

/// The finding that covers the secret.
fn covering(text: &str, secret: &str) -> Option<SecretFinding> {
    let start = text.find(secret)?;
    find_secrets(text)
        .into_iter()
        .find(|finding| finding.range.start <= start && finding.range.end >= start + secret.len())
}

fn escaped(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

/// The text as a JSON text holds it, without the quotes around it.
fn inner(secret: &str) -> String {
    let text = escaped(secret);
    text[1..text.len() - 1].to_owned()
}

#[test]
fn nearly_every_secret_of_the_corpus_is_found() {
    let mut random = Random::new(1);
    // Of each kind: texts, found, found in the escaped text, found by the kind's own rule.
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let mut missed: BTreeMap<&str, String> = BTreeMap::new();
    for (rule, form) in KINDS {
        let count = counts.entry(rule).or_default();
        for case in cases(form, &mut random) {
            count[0] += 1;
            let plain = covering(&case.text, &case.secret);
            let quoted = covering(&escaped(&case.text), &inner(&case.secret));
            count[1] += usize::from(plain.is_some());
            count[2] += usize::from(quoted.is_some());
            match (plain, quoted) {
                (Some(plain), Some(quoted)) => {
                    assert_eq!(
                        plain.fingerprint, quoted.fingerprint,
                        "{rule}: {}",
                        case.text
                    );
                    assert_eq!(plain.rule, quoted.rule, "{rule}: {}", case.text);
                    count[3] += usize::from(plain.rule == *rule);
                }
                _ => {
                    missed.entry(rule).or_insert(case.text);
                }
            }
        }
    }
    println!(
        "{:<34} {:>6} {:>7} {:>7} {:>7}",
        "kind", "texts", "found", "in JSON", "by rule"
    );
    let mut total = [0; 4];
    for (rule, count) in &counts {
        let share = |part: usize| part as f64 / count[0] as f64;
        println!(
            "{rule:<34} {:>6} {:>7.3} {:>7.3} {:>7.3}",
            count[0],
            share(count[1]),
            share(count[2]),
            share(count[3])
        );
        for (sum, part) in total.iter_mut().zip(count) {
            *sum += part;
        }
    }
    println!(
        "all: {} of {} found, {} in JSON, {} by their rule",
        total[1], total[0], total[2], total[3]
    );
    for (rule, text) in &missed {
        println!("missed {rule}: {text}");
    }
    assert!(counts.len() >= 45, "{} kinds", counts.len());
    for (rule, count) in &counts {
        for found in &count[1..] {
            assert!(
                found * 100 >= count[0] * 90,
                "{rule}: {found} of {}",
                count[0]
            );
        }
    }
    assert!(total[1] * 100 >= total[0] * 98 && total[2] * 100 >= total[0] * 98);
}

#[test]
fn no_harmless_text_is_taken_for_a_secret() {
    let texts = harmless::texts();
    let mut wrong = Vec::new();
    for text in &texts {
        for form in [text.clone(), escaped(text)] {
            wrong.extend(
                find_secrets(&form)
                    .into_iter()
                    .map(|finding| format!("{}: {}", finding.rule, &form[finding.range])),
            );
        }
    }
    println!("{} harmless texts, {} findings", texts.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_masked_corpus_holds_no_secret_and_the_same_fingerprints() {
    let mut random = Random::new(2);
    for (rule, form) in KINDS {
        for case in cases(form, &mut random).into_iter().step_by(7) {
            let masked = mask_secrets(&case.text);
            let prints = |text: &str| -> Vec<_> {
                find_secrets(text)
                    .into_iter()
                    .map(|finding| (finding.rule, finding.fingerprint))
                    .collect()
            };
            assert_eq!(prints(&masked), prints(&case.text), "{rule}: {}", case.text);
            assert_eq!(mask_secrets(&masked), masked, "{rule}: {}", case.text);
            if covering(&case.text, &case.secret).is_some() {
                assert!(!masked.contains(&case.secret), "{rule}: {}", case.text);
            }
        }
    }
}
