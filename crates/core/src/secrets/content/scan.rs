//! One pass over the text for the literals, then the rules where one was found.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::SecretFinding;
use super::assignment::assigned_secret;
use super::credentials::{
    address_password, basic_credentials, bearer_token, command_password, header_token,
};
use super::entropy::looks_like_words;
use super::fingerprint::{Fingerprint, without_escapes};
use super::key_block::{armoured_key, putty_key};
use super::mask::{MARK_START, mark_at};
use super::placeholder::is_placeholder_token;
use super::rules::{self, Kind, SHORTEST_REST, TokenRule};
use super::secret_word::SECRET_WORDS;
use super::segment::{Segment, is_base64url, is_word};
use super::web_token::web_token;

/// The search that starts at a literal.
#[derive(Clone, Copy)]
enum Search {
    Mark,
    Token(&'static TokenRule),
    ArmouredKey,
    PuttyKey,
    WebToken,
    Context(Context),
}

/// Searches that leave the other searches' findings to them.
#[derive(Clone, Copy)]
enum Context {
    Assignment,
    Address,
    Bearer,
    HeaderToken,
    Basic,
    Command,
}

/// The literals of all rules and the searches they start.
struct Keywords {
    automaton: AhoCorasick,
    searches: Vec<Vec<Search>>,
}

static KEYWORDS: LazyLock<Keywords> = LazyLock::new(|| {
    let mut table: BTreeMap<&'static str, Vec<Search>> = BTreeMap::new();
    let mut add = |keyword, search| table.entry(keyword).or_default().push(search);
    add(MARK_START, Search::Mark);
    add("private key", Search::ArmouredKey);
    add("private-lines:", Search::PuttyKey);
    add("eyj", Search::WebToken);
    for rule in rules::tokens() {
        for keyword in rule.keywords {
            add(keyword, Search::Token(rule));
        }
    }
    for keyword in SECRET_WORDS {
        add(keyword, Search::Context(Context::Assignment));
    }
    for keyword in ["://", ":\\/\\/"] {
        add(keyword, Search::Context(Context::Address));
    }
    add("bearer ", Search::Context(Context::Bearer));
    add("token ", Search::Context(Context::HeaderToken));
    for keyword in [
        "basic ",
        "auth\":\"",
        "auth\": \"",
        "auth\\\":\\\"",
        "auth\\\": \\\"",
    ] {
        add(keyword, Search::Context(Context::Basic));
    }
    for keyword in [" -u ", " --user ", " --user="] {
        add(keyword, Search::Context(Context::Command));
    }
    Keywords {
        automaton: AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(table.keys())
            .expect("a few hundred short literals fit an automaton"),
        searches: table.into_values().collect(),
    }
});

/// All secrets of the text, in order, not overlapping.
///
/// Shapes of providers come first. A rule that goes by a value's surroundings then looks only at the rest between them,
/// so that a value gets its most specific name.
pub fn find_secrets(text: &str) -> Vec<SecretFinding> {
    let bytes = text.as_bytes();
    let mut found: Vec<SecretFinding> = Vec::new();
    let mut contexts: Vec<(Context, Range<usize>)> = Vec::new();
    let mut segment = Segment {
        bytes,
        floor: 0,
        ceiling: bytes.len(),
    };
    for hit in KEYWORDS.automaton.find_overlapping_iter(bytes) {
        for search in &KEYWORDS.searches[hit.pattern().as_usize()] {
            if hit.start() < segment.floor {
                break;
            }
            let finding = match *search {
                Search::Mark => mark_at(bytes, hit.start()),
                Search::Token(rule) => token(segment, rule, hit.range()),
                Search::ArmouredKey => armoured(segment, hit.range()),
                Search::PuttyKey => putty_key(segment, hit.range())
                    .map(|(range, fingerprint)| finding(rules::PUTTY_KEY, range, fingerprint)),
                Search::WebToken => web_token(segment, hit.start())
                    .filter(|range| !segment.is_cut_at(range.end))
                    .map(|range| value_finding(segment, rules::WEB_TOKEN, range)),
                Search::Context(context) => {
                    contexts.push((context, hit.range()));
                    None
                }
            };
            if let Some(finding) = finding {
                segment.floor = finding.range.end;
                found.push(finding);
            }
        }
    }
    let rest = in_context(bytes, &found, &contexts);
    if !rest.is_empty() {
        found.extend(rest);
        found.sort_by_key(|finding| finding.range.start);
    }
    found
}

/// Secrets that their surroundings reveal, between the existing findings.
fn in_context(
    bytes: &[u8],
    found: &[SecretFinding],
    contexts: &[(Context, Range<usize>)],
) -> Vec<SecretFinding> {
    let mut more: Vec<SecretFinding> = Vec::new();
    let mut next = 0;
    let mut floor = 0;
    for (context, keyword) in contexts {
        while let Some(finding) = found.get(next)
            && finding.range.start < keyword.end
        {
            floor = floor.max(finding.range.end);
            next += 1;
        }
        if keyword.start < floor {
            continue;
        }
        let segment = Segment {
            bytes,
            floor,
            ceiling: found
                .get(next)
                .map_or(bytes.len(), |finding| finding.range.start),
        };
        if let Some((kind, range)) = context_secret(segment, *context, keyword.clone()) {
            floor = range.end;
            more.push(value_finding(segment, kind, range));
        }
    }
    more
}

fn context_secret(
    segment: Segment<'_>,
    context: Context,
    keyword: Range<usize>,
) -> Option<(Kind, Range<usize>)> {
    match context {
        Context::Assignment => assigned_secret(segment, keyword),
        Context::Address => {
            address_password(segment, keyword.end).map(|range| (rules::URL_PASSWORD, range))
        }
        Context::Bearer => bearer_token(segment, keyword.end).map(|range| (rules::BEARER, range)),
        Context::HeaderToken => header_token(segment, keyword).map(|range| (rules::BEARER, range)),
        Context::Basic => {
            basic_credentials(segment, keyword.end).map(|range| (rules::BASIC, range))
        }
        Context::Command => {
            command_password(segment, keyword.end).map(|range| (rules::COMMAND_PASSWORD, range))
        }
    }
}

/// A provider's token of which a literal is here.
fn token(segment: Segment<'_>, rule: &TokenRule, literal: Range<usize>) -> Option<SecretFinding> {
    let behind = segment.ahead(literal.end, SHORTEST_REST);
    if !rule.may_match(&segment.bytes[literal.clone()], behind) {
        return None;
    }
    let before = rule.before.map_or(0, |(class, most)| {
        segment.run_behind(literal.start, most, class)
    });
    let start = literal.start - before;
    if !begins_token(segment, start) {
        return None;
    }
    let window = segment.ahead(start, rule.longest + 1);
    let regex = rule.regex();
    let matched = if regex.captures_len() > 1 {
        regex.captures(window)?.get(1)?
    } else {
        regex.find(window)?
    };
    let range = start + matched.start()..start + matched.end();
    let secret = matched.as_bytes();
    // A part that the pattern may have, and that a mark hides by now, could have decided otherwise.
    let joined = segment.run(range.end, rule.longest, is_joined);
    let ends = |&byte: &u8| !is_word(byte) && byte != b'+';
    let is_secret = secret.len() <= rule.longest
        && segment.bytes.get(range.end).is_none_or(ends)
        && !segment.is_cut_at(range.end + joined)
        && (!rule.random || looks_random(secret))
        && !is_placeholder_token(secret);
    is_secret.then(|| value_finding(segment, rule.kind, range))
}

fn begins_token(segment: Segment<'_>, start: usize) -> bool {
    segment.byte(start).is_some_and(|byte| !is_word(byte)) || segment.is_word_start(start)
}

/// Characters that may join the parts of one token.
fn is_joined(byte: u8) -> bool {
    is_base64url(byte) || matches!(byte, b'.' | b'+' | b'/' | b'=' | b'%')
}

/// Whether a generator rather than a person wrote this.
fn looks_random(token: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| token.iter().any(class);
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    (has(u8::is_ascii_digit) || is_mixed) && !looks_like_words(token)
}

fn armoured(segment: Segment<'_>, keyword: Range<usize>) -> Option<SecretFinding> {
    let (range, fingerprint) = armoured_key(segment, keyword.clone())?;
    let before = segment.behind(range.start, 24);
    let is_pgp = segment.behind(keyword.start, 4) == b"PGP ";
    let field = before
        .iter()
        .rposition(|byte| !matches!(byte, b'"' | b'\\' | b' ' | b':'))
        .map_or(&before[..0], |last| &before[..=last]);
    let kind = if is_pgp {
        rules::PGP_KEY
    } else if field.ends_with(b"private_key") {
        rules::SERVICE_ACCOUNT
    } else {
        rules::PRIVATE_KEY
    };
    Some(finding(kind, range, fingerprint))
}

fn value_finding(segment: Segment<'_>, kind: Kind, range: Range<usize>) -> SecretFinding {
    let plain = without_escapes(&segment.bytes[range.clone()]);
    finding(kind, range, Fingerprint::of(&plain))
}

fn finding(kind: Kind, range: Range<usize>, fingerprint: Fingerprint) -> SecretFinding {
    SecretFinding {
        rule: kind.name,
        description: kind.description,
        range,
        fingerprint,
    }
}
