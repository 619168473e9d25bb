//! How much context a run may send, and whether it is text at all.
//!
//! Every check returns all its findings instead of stopping at the first: a person who gave ten files wants to hear
//! about all of them at once.

mod problem;

use crate::secrets::{AllowedSecrets, SecretFinding};
use crate::tokens::count_tokens;

pub use problem::{ContextProblem, ProblemKind};

/// The largest context file: exactly this many bytes still pass.
pub const MAX_FILE_BYTES: u64 = 100 * 1024;

/// The largest sum of estimated tokens over all context files.
pub const MAX_TOTAL_TOKENS: usize = 200_000;

/// How many portions a message lists one by one.
const MOST_LISTED: usize = 10;

/// One context file that passed the checks for a single file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextFile {
    /// The path as the person gave it.
    pub path: String,
    /// The whole content.
    pub text: String,
    /// Its size in bytes.
    pub bytes: usize,
    /// Its estimated tokens.
    pub tokens: usize,
}

/// Judges the size of a file.
fn check_size(path: &str, bytes: u64) -> Option<ContextProblem> {
    (bytes > MAX_FILE_BYTES).then(|| ContextProblem {
        kind: ProblemKind::TooLarge,
        message: format!(
            "the file has {bytes} bytes, more than the limit of {MAX_FILE_BYTES} (100 KB)"
        ),
        location: path.to_owned(),
    })
}

/// Judges the contents of one file; every problem it has, or the file ready to be sent. Of a file that is too large
/// only the beginning need have been read; `size` is that of all of it.
pub fn check_content(
    path: &str,
    content: Vec<u8>,
    size: u64,
    allowed: &AllowedSecrets,
) -> Result<ContextFile, Vec<ContextProblem>> {
    let bytes = content.len();
    let mut problems = Vec::new();
    problems.extend(check_size(path, size));
    match text_of(content) {
        Ok(text) => {
            problems.extend(check_secrets(path, &text, allowed));
            if !problems.is_empty() {
                return Err(problems);
            }
            Ok(ContextFile {
                path: path.to_owned(),
                bytes,
                tokens: count_tokens(&text),
                text,
            })
        }
        Err(reason) => {
            problems.push(ContextProblem {
                kind: ProblemKind::NotText,
                message: reason.to_string(),
                location: path.to_owned(),
            });
            Err(problems)
        }
    }
}

/// Every secret in a text that no person has allowed, as problems of that text.
pub fn check_secrets(name: &str, text: &str, allowed: &AllowedSecrets) -> Vec<ContextProblem> {
    let problem = |finding: SecretFinding| ContextProblem {
        kind: ProblemKind::SecretContent,
        message: format!(
            "line {} holds what looks like {} (fingerprint {}), which is never sent",
            line_of(text, finding.range.start),
            finding.description,
            finding.fingerprint
        ),
        location: name.to_owned(),
    };
    allowed.find(text).into_iter().map(problem).collect()
}

fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// One thing that is sent, and how much of the budget it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Portion {
    /// The path as the person or the document gave it.
    pub name: String,
    /// Its size in bytes.
    pub bytes: usize,
    /// Its estimated tokens.
    pub tokens: usize,
}

impl Portion {
    /// The portion that a text makes.
    pub fn of(name: impl Into<String>, text: &str) -> Self {
        Self {
            name: name.into(),
            bytes: text.len(),
            tokens: count_tokens(text),
        }
    }
}

/// Checks the total that a run would send, in the order in which it is collected: the document, the files that it
/// lists, the context. The problem names the portion with which the sum went over and lists all by size; nothing is
/// ever cut to fit.
pub fn check_total(portions: &[Portion]) -> Option<ContextProblem> {
    let mut total = 0_usize;
    let mut over = None;
    for portion in portions {
        total = total.saturating_add(portion.tokens);
        if total > MAX_TOTAL_TOKENS && over.is_none() {
            over = Some(portion);
        }
    }
    over.map(|portion| ContextProblem {
        kind: ProblemKind::TooManyTokens,
        message: format!(
            "document, listed files and context have about {total} tokens in all, more than the \
             limit of {MAX_TOTAL_TOKENS}; the largest: {}",
            largest_first(portions)
        ),
        location: portion.name.clone(),
    })
}

/// Names and tokens, the largest first; the rest beyond the tenth is summed up.
pub(crate) fn largest_first(portions: &[Portion]) -> String {
    let mut sorted: Vec<&Portion> = portions.iter().collect();
    sorted.sort_by_key(|portion| std::cmp::Reverse(portion.tokens));
    let (shown, rest) = sorted.split_at(sorted.len().min(MOST_LISTED));
    let mut words: Vec<String> = shown
        .iter()
        .map(|portion| format!("{} {}", portion.name, portion.tokens))
        .collect();
    if !rest.is_empty() {
        let tokens: usize = rest.iter().map(|portion| portion.tokens).sum();
        words.push(format!("{} more {tokens}", rest.len()));
    }
    words.join(", ")
}

/// The content as text, or why it is none.
pub fn text_of(content: Vec<u8>) -> Result<String, NotText> {
    if let Some(position) = content.iter().position(|&byte| byte == 0) {
        return Err(NotText::NulByte(position));
    }
    String::from_utf8(content)
        .map_err(|error| NotText::InvalidUtf8(error.utf8_error().valid_up_to()))
}

/// Why a content is not text, with the offset of the first offending byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotText {
    /// Text has none.
    #[error("the file is not text: NUL byte at offset {0}")]
    NulByte(usize),
    /// It is in another encoding, or binary.
    #[error("the file is not text: invalid UTF-8 at offset {0}")]
    InvalidUtf8(usize),
}

#[cfg(test)]
mod tests {
    use super::{
        AllowedSecrets, MAX_TOTAL_TOKENS, Portion, ProblemKind, check_content, check_total,
        largest_first,
    };

    fn portion(name: &str, tokens: usize) -> Portion {
        Portion {
            name: name.to_owned(),
            bytes: 0,
            tokens,
        }
    }

    #[test]
    fn file_of_exactly_100_kilobytes_passes_and_one_more_byte_does_not() {
        assert!(
            check_content(
                "a",
                vec![b'\n'; 102_400],
                102_400,
                &AllowedSecrets::default()
            )
            .is_ok()
        );
        let problems = check_content(
            "a",
            vec![b'\n'; 102_401],
            300_000,
            &AllowedSecrets::default(),
        )
        .expect_err("it is too large");
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].kind, ProblemKind::TooLarge);
        assert_eq!(problems[0].location, "a");
    }

    #[test]
    fn file_with_two_problems_reports_both() {
        let problems = check_content("a", vec![0; 102_401], 102_401, &AllowedSecrets::default())
            .expect_err("it is neither");
        let kinds: Vec<_> = problems.iter().map(|problem| problem.kind).collect();
        assert_eq!(kinds, [ProblemKind::TooLarge, ProblemKind::NotText]);
    }

    #[test]
    fn invalid_utf8_and_nul_are_not_text() {
        for content in [b"ab\xff".to_vec(), b"ab\0".to_vec()] {
            let problems = check_content("a", content, 3, &AllowedSecrets::default())
                .expect_err("it is not text");
            assert_eq!(problems[0].kind, ProblemKind::NotText);
            assert!(problems[0].message.ends_with("offset 2"));
        }
    }

    #[test]
    fn accepted_file_knows_its_size_and_tokens() {
        let accepted = check_content("a", b"hello world".to_vec(), 11, &AllowedSecrets::default())
            .expect("it is text");
        assert_eq!((accepted.bytes, accepted.tokens), (11, 2));
    }

    #[test]
    fn total_of_exactly_the_limit_passes_and_one_more_token_does_not() {
        let fits = [portion("a", MAX_TOTAL_TOKENS - 1), portion("b", 1)];
        assert_eq!(check_total(&fits), None);
        let over = [
            portion("a", MAX_TOTAL_TOKENS),
            portion("b", 1),
            portion("c", 5),
        ];
        let problem = check_total(&over).expect("it is over");
        assert_eq!(problem.kind, ProblemKind::TooManyTokens);
        assert_eq!(problem.location, "b");
        assert!(problem.message.contains("200006"));
        assert!(problem.message.ends_with("the largest: a 200000, c 5, b 1"));
    }

    #[test]
    fn many_portions_are_listed_largest_first_and_the_rest_is_summed_up() {
        let portions: Vec<Portion> = (0..13)
            .map(|number| portion(&format!("f{number}"), 100 + number))
            .collect();
        let text = largest_first(&portions);
        assert!(text.starts_with("f12 112, f11 111, "), "{text}");
        assert!(text.ends_with("f3 103, 3 more 303"), "{text}");
    }
}
