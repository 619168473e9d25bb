//! How much context a run may send, and whether it is text at all.
//!
//! Every check returns what it found instead of stopping at the first: a person who gave ten files
//! wants to hear about all of them at once.

use super::problem::{ContextProblem, ProblemKind};

/// The largest context file: exactly this many bytes still pass.
pub const MAX_FILE_BYTES: u64 = 100 * 1024;

/// The largest sum of estimated tokens over all context files.
pub const MAX_TOTAL_TOKENS: usize = 200_000;

/// One context file that passed the checks for a single file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextFile {
    /// The path as the person gave it.
    pub path: String,
    /// The whole content.
    pub text: String,
    /// Its size.
    pub bytes: usize,
    /// Its estimated tokens.
    pub tokens: usize,
}

/// Estimates how many tokens a model makes of the text.
///
/// Providers differ by some percent; the limit leaves room for that. The vocabulary is built on
/// the first call, so a command that counts nothing does not pay for it.
pub fn count_tokens(text: &str) -> usize {
    bpe_openai::cl100k_base().count(text)
}

/// Judges the size of a file, of which at most one byte more than the limit was read.
fn check_size(path: &str, bytes: u64) -> Option<ContextProblem> {
    (bytes > MAX_FILE_BYTES).then(|| ContextProblem {
        kind: ProblemKind::TooLarge,
        message: format!(
            "the file has {bytes} bytes, more than the limit of {MAX_FILE_BYTES} (100 KB)"
        ),
        location: path.to_owned(),
    })
}

/// Judges the contents of one file; every problem it has, or the file ready to be sent.
pub fn check_content(path: &str, content: Vec<u8>) -> Result<ContextFile, Vec<ContextProblem>> {
    let bytes = content.len();
    let mut problems = Vec::new();
    problems.extend(check_size(path, bytes as u64));
    match text_of(content) {
        Ok(text) if problems.is_empty() => Ok(ContextFile {
            path: path.to_owned(),
            bytes,
            tokens: count_tokens(&text),
            text,
        }),
        Ok(_) => Err(problems),
        Err(reason) => {
            problems.push(ContextProblem {
                kind: ProblemKind::NotText,
                message: reason,
                location: path.to_owned(),
            });
            Err(problems)
        }
    }
}

/// Judges the sum of what the design document brings and all context files; the problem names the one with
/// which the sum went over.
pub fn check_total<'a>(
    document: (&'a str, usize),
    files: impl IntoIterator<Item = &'a ContextFile>,
) -> Option<ContextProblem> {
    let files = files
        .into_iter()
        .map(|file| (file.path.as_str(), file.tokens));
    let mut total = 0_usize;
    let mut over: Option<&str> = None;
    for (path, tokens) in std::iter::once(document).chain(files) {
        total = total.saturating_add(tokens);
        if total > MAX_TOTAL_TOKENS && over.is_none() {
            over = Some(path);
        }
    }
    over.map(|path| ContextProblem {
        kind: ProblemKind::TooManyTokens,
        message: format!(
            "document, listed files and context have about {total} tokens in all, more than the \
             limit of {MAX_TOTAL_TOKENS}; give fewer or smaller files"
        ),
        location: path.to_owned(),
    })
}

fn text_of(content: Vec<u8>) -> Result<String, String> {
    if let Some(position) = content.iter().position(|&byte| byte == 0) {
        return Err(format!(
            "the file is not text: NUL byte at offset {position}"
        ));
    }
    String::from_utf8(content).map_err(|error| {
        let position = error.utf8_error().valid_up_to();
        format!("the file is not text: invalid UTF-8 at offset {position}")
    })
}

#[cfg(test)]
mod tests {
    use super::{ContextFile, MAX_TOTAL_TOKENS, check_content, check_total, count_tokens};
    use crate::context::ProblemKind;

    fn file(path: &str, tokens: usize) -> ContextFile {
        ContextFile {
            path: path.to_owned(),
            text: String::new(),
            bytes: 0,
            tokens,
        }
    }

    #[test]
    fn file_of_exactly_100_kilobytes_passes_and_one_more_byte_does_not() {
        assert!(check_content("a", vec![b'\n'; 102_400]).is_ok());
        let problems = check_content("a", vec![b'\n'; 102_401]).expect_err("it is too large");
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].kind, ProblemKind::TooLarge);
        assert_eq!(problems[0].location, "a");
    }

    #[test]
    fn file_with_two_problems_reports_both() {
        let problems = check_content("a", vec![0; 102_401]).expect_err("it is neither");
        let kinds: Vec<_> = problems.iter().map(|problem| problem.kind).collect();
        assert_eq!(kinds, [ProblemKind::TooLarge, ProblemKind::NotText]);
    }

    #[test]
    fn invalid_utf8_and_nul_are_not_text() {
        for content in [b"ab\xff".to_vec(), b"ab\0".to_vec()] {
            let problems = check_content("a", content).expect_err("it is not text");
            assert_eq!(problems[0].kind, ProblemKind::NotText);
            assert!(problems[0].message.ends_with("offset 2"));
        }
    }

    #[test]
    fn accepted_file_knows_its_size_and_tokens() {
        let accepted = check_content("a", b"hello world".to_vec()).expect("it is text");
        assert_eq!((accepted.bytes, accepted.tokens), (11, 2));
    }

    #[test]
    fn empty_file_has_no_tokens() {
        assert_eq!(count_tokens(""), 0);
    }

    #[test]
    fn total_of_exactly_the_limit_passes_and_one_more_token_does_not() {
        let fits = [file("a", MAX_TOTAL_TOKENS - 1), file("b", 1)];
        assert_eq!(check_total(("lld.md", 0), &fits), None);
        let over = [file("a", MAX_TOTAL_TOKENS), file("b", 1), file("c", 5)];
        let problem = check_total(("lld.md", 0), &over).expect("it is over");
        assert_eq!(problem.kind, ProblemKind::TooManyTokens);
        assert_eq!(problem.location, "b");
        assert!(problem.message.contains("200006"));
        let document = check_total(("lld.md", MAX_TOTAL_TOKENS + 1), &[]).expect("it is over");
        assert_eq!(document.location, "lld.md");
    }
}
