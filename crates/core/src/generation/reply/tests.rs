//! Replies as models write them, good and bad.

use proptest::prelude::*;

use super::{Body, Malformed, RepliedFile, Reply, ends_with_end_marker, parse_reply};
use crate::path::ProjectPath;

fn file(path: &str, content: &str) -> RepliedFile {
    RepliedFile {
        path: path.to_owned(),
        body: Body::Whole(content.to_owned()),
    }
}

fn sole() -> ProjectPath {
    ProjectPath::parse("src/only.py").expect("it is valid")
}

fn files(text: &str) -> Vec<RepliedFile> {
    match parse_reply(text, None) {
        Ok(Reply::Files(files)) => files,
        other => panic!("no files but {other:?}"),
    }
}

fn refused(text: &str) -> Malformed {
    match parse_reply(text, Some(&sole())) {
        Err(malformed) => malformed,
        Ok(reply) => panic!("accepted as {reply:?}"),
    }
}

#[test]
fn labelled_files_are_read_with_prose_around_them() {
    let text = "Here you are.\n\n### FILE: `src/a.py`\n```python\na = 1\n```\nand\n\
                ### FILE: b.txt\n\n~~~~\nb\n~~~~\n### END\n";
    assert_eq!(
        files(text),
        [file("src/a.py", "a = 1\n"), file("b.txt", "b\n")]
    );
}

#[test]
fn content_keeps_its_bytes() {
    let text = "### FILE: a\r\n```\r\nx \t\r\n\r\ny\u{2028}\x0c\n```\r\n";
    assert_eq!(files(text), [file("a", "x \t\r\n\r\ny\u{2028}\x0c\n")]);
}

#[test]
fn empty_block_is_an_empty_file() {
    assert_eq!(files("### FILE: a\n```\n```\n"), [file("a", "")]);
}

#[test]
fn closing_fence_may_lack_its_newline() {
    assert_eq!(files("### FILE: a\n```\nx\n```"), [file("a", "x\n")]);
}

#[test]
fn shorter_inner_fences_are_content() {
    let text = "### FILE: a.md\n````markdown\n```\nx\n```\n```\ny\n```\n````\n";
    assert_eq!(files(text), [file("a.md", "```\nx\n```\n```\ny\n```\n")]);
}

#[test]
fn inner_block_with_an_info_string_is_content() {
    let text = "### FILE: a.md\n```markdown\ntext\n```python\nx\n```\nmore\n```\n### END\n";
    assert_eq!(
        files(text),
        [file("a.md", "text\n```python\nx\n```\nmore\n")]
    );
}

#[test]
fn bare_inner_fences_are_refused_with_the_remedy() {
    let malformed = refused("### FILE: a.md\n```\ntext\n```\nx\n```\nmore\n```\n");
    assert_eq!(malformed.line, 6);
    assert!(malformed.message.to_string().contains("longer outer fence"));
}

#[test]
fn labels_inside_a_longer_fence_are_content() {
    let content = "### FILE: inner\n```\nx\n```\n### END\n### GIVE UP: no\n";
    let text = format!("### FILE: protocol.md\n````\n{content}````\n### END\n");
    assert_eq!(files(&text), [file("protocol.md", content)]);
}

#[test]
fn label_before_the_closing_fence_is_refused() {
    let malformed = refused("### FILE: a\n```\nx\n### FILE: b\n```\ny\n```\n");
    assert_eq!(malformed.line, 4);
}

#[test]
fn block_that_is_not_closed_is_refused() {
    for text in [
        "### FILE: a\n```\nx\n",
        "### FILE: a\n````\nx\n```\n",
        "### FILE: a\n```\nx\n~~~\n",
        "### FILE: a\n```\ntext\n```python\nx\n```\n",
        "```\nx\n",
        "### FILE: a\n````\nx\n### FILE: b\n````\ny\n````\n",
        "### FILE: a\n````md\nx\n### FILE: b\n````md\ny\n````\n",
    ] {
        refused(text);
    }
}

#[test]
fn same_file_twice_is_refused() {
    let malformed = refused("### FILE: a\n```\n1\n```\n### FILE: `a`\n```\n2\n```\n");
    assert_eq!(malformed.line, 5);
    assert!(malformed.message.to_string().contains("twice"));
}

#[test]
fn label_without_block_or_path_is_refused() {
    assert_eq!(refused("### FILE: a\nno block\n").line, 1);
    assert_eq!(refused("### FILE: a\n### FILE: b\n```\n```\n").line, 1);
    assert_eq!(refused("x\n### FILE: ``\n```\n```\n").line, 2);
    assert_eq!(refused("### FILE: `a` (new)\n```\n```\n").line, 1);
}

#[test]
fn single_block_needs_a_sole_file() {
    let text = "Sure:\n```python\nx = 1\n```\nThat is all.\n";
    assert_eq!(
        parse_reply(text, Some(&sole())),
        Ok(Reply::Files(vec![file("src/only.py", "x = 1\n")]))
    );
    let malformed = parse_reply(text, None).expect_err("there is no label");
    assert!(malformed.message.to_string().contains("### FILE:"));
}

#[test]
fn several_blocks_without_labels_are_refused() {
    refused("```\n1\n```\n```\n2\n```\n");
    refused("```\n1\n```\n### FILE: b\n```\n2\n```\n");
    refused("### FILE: b\n```\n2\n```\ntext\n```\n1\n```\n");
}

#[test]
fn prose_alone_is_refused() {
    for text in ["", "\n", "I have done it.\n", "### END\n"] {
        assert!(refused(text).message.to_string().contains("no file"));
    }
}

#[test]
fn giving_up_carries_its_reason() {
    let text = "Sorry.\n### GIVE UP: the design asks for\ntwo things at once\n### END\n";
    assert_eq!(
        parse_reply(text, None),
        Ok(Reply::GiveUp(
            "the design asks for\ntwo things at once".to_owned()
        ))
    );
}

#[test]
fn calling_the_tests_wrong_carries_its_reason_and_nothing_else() {
    let text = "### TESTS ARE WRONG: cube(3) is 27,\nnot 28\n### END\n";
    assert_eq!(
        parse_reply(text, None),
        Ok(Reply::TestsAreWrong("cube(3) is 27,\nnot 28".to_owned()))
    );
    let with_files = "### FILE: a\n```\nx\n```\n### TESTS ARE WRONG: no\n";
    assert!(
        refused(with_files)
            .message
            .to_string()
            .contains("either the files")
    );
    let both = "### TESTS ARE WRONG: no\n### FILE: a\n```\nx\n```\n";
    assert!(
        refused(both)
            .message
            .to_string()
            .contains("nothing but the reason")
    );
}

#[test]
fn giving_up_or_calling_the_tests_wrong_without_a_reason_is_refused() {
    for label in ["### GIVE UP", "### TESTS ARE WRONG"] {
        let message = refused(&format!("{label}:\n### END\n")).message.to_string();
        assert!(message.contains("reason"), "{message}");
    }
}

#[test]
fn giving_up_inside_content_is_content() {
    let text = "### FILE: a\n````\n### GIVE UP: no\n````\n";
    assert_eq!(files(text), [file("a", "### GIVE UP: no\n")]);
}

#[test]
fn giving_up_beside_files_is_refused() {
    refused("### FILE: a\n```\n```\n### GIVE UP: tired\n");
    refused("### GIVE UP: tired\n### FILE: a\n```\n```\n");
}

#[test]
fn text_after_the_end_is_refused() {
    let malformed = refused("### FILE: a\n```\n```\n### END\n\nand more\n");
    assert_eq!(malformed.line, 6);
    assert_eq!(
        files("### FILE: a\n```\n```\n### END\n\n \n"),
        [file("a", "")]
    );
}

#[test]
fn end_marker_is_the_last_line_that_is_not_blank() {
    assert!(ends_with_end_marker("x\n### END\r\n\n"));
    assert!(ends_with_end_marker("### END"));
    assert!(!ends_with_end_marker("### END\nx\n"));
    assert!(!ends_with_end_marker("### ENDING\n"));
    assert!(!ends_with_end_marker(""));
}

/// Writes the files as a careful model would: the outer fence is longer than any inner one.
fn render(files: &[RepliedFile]) -> String {
    let mut text = String::from("Here are the files.\n");
    for file in files {
        let Body::Whole(content) = &file.body else {
            panic!("these are whole files");
        };
        let longest = content
            .split(|character| character != '`')
            .map(str::len)
            .max()
            .unwrap_or(0);
        let fence = "`".repeat(longest.max(3) + 1);
        text += "### FILE: ";
        text += &file.path;
        text.extend(["\n", &fence, "text\n"]);
        text += content;
        text.extend([&fence, "\n\n"]);
    }
    text + "### END\n"
}

fn contents() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("```".to_owned()),
        Just("```python".to_owned()),
        Just("~~~".to_owned()),
        Just("`````".to_owned()),
        Just("### FILE: x".to_owned()),
        Just("### END".to_owned()),
        Just("### GIVE UP: x".to_owned()),
        Just("\r".to_owned()),
        "[^\n]{0,12}",
    ];
    prop::collection::vec(line, 0..8)
        .prop_map(|lines| lines.iter().flat_map(|line| [line, "\n"]).collect())
}

proptest! {
    #[test]
    fn rendered_files_are_read_back(contents in prop::collection::vec(contents(), 1..4)) {
        let expected: Vec<_> = contents
            .iter()
            .enumerate()
            .map(|(index, content)| file(&format!("dir/file{index}.md"), content))
            .collect();
        prop_assert_eq!(parse_reply(&render(&expected), None), Ok(Reply::Files(expected)));
    }

    #[test]
    fn any_text_is_read_without_panic(text in any::<String>(), lines in contents()) {
        let _ = parse_reply(&text, Some(&sole()));
        let _ = parse_reply(&lines, Some(&sole()));
        let _ = parse_reply(&lines, None);
        ends_with_end_marker(&text);
    }

    #[test]
    fn accepted_content_is_never_shortened(lines in contents()) {
        // Any accepted sole block reaches to the last fence line of the reply.
        let text = format!("```\n{lines}```\n");
        if let Ok(Reply::Files(files)) = parse_reply(&text, Some(&sole())) {
            prop_assert_eq!(files, [file("src/only.py", &lines)]);
        }
    }
}
