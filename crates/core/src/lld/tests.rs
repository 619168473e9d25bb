//! Documents as people write them.

use proptest::prelude::*;

use super::{ChangeType, EntryKind, LowLevelDesign, check, parse, resolve};
use crate::limits::ProblemKind;

const WHOLE_TEMPLATE: &str = include_str!("../../../../testdata/lld/whole-template.md");

fn paths(design: &LowLevelDesign) -> Vec<&str> {
    design.files.iter().map(|file| file.path.as_str()).collect()
}

fn scenario_ids(design: &LowLevelDesign) -> Vec<&str> {
    let ids = design.scenarios.iter().map(|scenario| scenario.id.as_str());
    ids.collect()
}

fn changes(design: &LowLevelDesign) -> Vec<Option<ChangeType>> {
    design.files.iter().map(|file| file.change).collect()
}

fn nothing_exists(_: &str) -> Option<EntryKind> {
    None
}

fn everything_exists(path: &str) -> Option<EntryKind> {
    let name = path.rsplit('/').next().filter(|name| !name.is_empty())?;
    Some(if name.contains('.') {
        EntryKind::File
    } else {
        EntryKind::Directory
    })
}

fn kinds(text: &str, exists: &dyn Fn(&str) -> Option<EntryKind>) -> Vec<ProblemKind> {
    let problems = check(&parse(text), exists);
    problems.into_iter().map(|problem| problem.kind).collect()
}

#[test]
fn whole_template_is_read() {
    let design = parse(WHOLE_TEMPLATE);
    assert_eq!(
        design.title,
        "41 - Feature: Rate limits for the upload endpoint"
    );
    assert_eq!(design.issue.as_deref(), Some("42"));
    assert_eq!(
        paths(&design),
        [
            "service/limits",
            "service/limits/__init__.py",
            "service/limits/token_bucket__v2.py",
            "service/upload.py",
            "service/old_limit.py",
            "service/settings.py",
            "tests",
            "tests/test_limits.py",
        ]
    );
    assert_eq!(scenario_ids(&design), ["010", "020"]);
    assert_eq!(design.scenarios[0].description, "Burst");
    assert_eq!(
        design.requirements,
        [
            "Bursts: more than ten uploads a second are refused",
            "Refused clients learn when to retry: header `Retry-After` whole seconds",
            "Limits survive a restart",
        ]
    );
}

#[test]
fn change_types_and_directories_of_the_template_are_read() {
    let design = parse(WHOLE_TEMPLATE);
    let (add, modify, delete) = (ChangeType::Add, ChangeType::Modify, ChangeType::Delete);
    assert_eq!(
        changes(&design),
        [
            Some(add),
            Some(add),
            Some(add),
            Some(modify),
            Some(delete),
            None,
            None,
            Some(add)
        ]
    );
    let directories: Vec<_> = design.files.iter().map(|file| file.is_directory).collect();
    assert_eq!(
        directories,
        [true, false, false, false, false, false, true, false]
    );
}

#[test]
fn rows_of_the_same_file_are_merged() {
    let design = parse(WHOLE_TEMPLATE);
    assert_eq!(
        design.files[3].description,
        "Ask the limiter; Answer with 429"
    );
    assert_eq!(design.files[3].line, 25);
}

#[test]
fn escaped_pipes_are_part_of_the_cell() {
    let design = parse(WHOLE_TEMPLATE);
    assert_eq!(design.files[2].description, "Counts | refills");
    assert!(design.scenarios[0].details.contains("a.bin | 11 times"));
}

#[test]
fn embedded_document_is_left_out() {
    let design = parse(WHOLE_TEMPLATE);
    let last = design.sections.last().expect("there are sections");
    assert_eq!(last.heading, "Appendix: Review Log");
    assert!(last.text.contains("G1.1"));
}

#[test]
fn headings_in_code_comments_and_quotes_are_no_sections() {
    let design = parse(WHOLE_TEMPLATE);
    let requirements = design
        .sections
        .iter()
        .filter(|section| section.heading.contains("Requirements"));
    assert_eq!(requirements.count(), 1);
}

#[test]
fn windows_line_ends_and_byte_order_mark_make_no_difference() {
    let unix = parse(WHOLE_TEMPLATE);
    let windows = format!("\u{FEFF}{}", WHOLE_TEMPLATE.replace('\n', "\r\n"));
    let windows = parse(&windows);
    assert_eq!(windows.files, unix.files);
    assert_eq!(windows.requirements, unix.requirements);
    assert_eq!(windows.scenarios, unix.scenarios);
    assert_eq!(windows.issue, unix.issue);
    assert_eq!(windows.title, unix.title);
}

#[test]
fn table_without_change_types_leaves_them_open() {
    let design = parse(
        "# 9 - X\n### 2.1 Files Changed\n| File Path | Description |\n|---|---|\n\
         | `a/b.py` | Defines `B`. |\n| `c.py` | Wires it. |\n",
    );
    assert_eq!(design.issue.as_deref(), Some("9"));
    assert_eq!(changes(&design), [None, None]);
    assert_eq!(design.files[0].description, "Defines `B`.");
}

#[test]
fn header_variants_are_recognised() {
    for (header, row, change, description) in [
        (
            "File | Change | Risk",
            "`a.py` | Modify | low",
            Some(ChangeType::Modify),
            "low",
        ),
        (
            "File | Change | Risk",
            "`a.py` | Remove the dead branch | low",
            None,
            "Remove the dead branch; low",
        ),
        (
            "File | Action | Description",
            "`a.py` | Create | it",
            Some(ChangeType::Add),
            "it",
        ),
        (
            "Description | **File** | Change Type",
            "it | **a.py** | delete",
            Some(ChangeType::Delete),
            "it",
        ),
        ("Path | Purpose", "[a.py](../a.py) | it", None, "it"),
        ("File | Notes", "`./a.py` (was `b.py`) | it", None, "it"),
    ] {
        let dashes = vec!["---"; header.split('|').count()].join("|");
        let text = format!("## Files Changed\n\n| {header} |\n|{dashes}|\n| {row} |\n");
        let design = parse(&text);
        assert_eq!(paths(&design), ["a.py"], "{header}");
        assert_eq!(design.files[0].change, change, "{header}");
        assert_eq!(design.files[0].description, description, "{header}");
    }
}

#[test]
fn cell_that_enumerates_files_lists_each() {
    let design = parse(
        "## Section 2.1: Files Changed\n| File | Change Type |\n|---|---|\n\
         | `a.py`, `b.py` and `c.py` | Add |\n| - | - |\n| N/A | |\n",
    );
    assert_eq!(paths(&design), ["a.py", "b.py", "c.py"]);
}

#[test]
fn headings_of_separate_lists_tell_the_change() {
    let listed = |heading: &str, path: &str| {
        format!("{heading}\n| File | Purpose |\n|---|---|\n| `{path}` | it |\n")
    };
    let children = "## 2. Changes\n### 2.1 Files Changed\n".to_owned()
        + &listed("#### New Files", "a.py")
        + &listed("#### Modified Files", "b.py")
        + &listed("### 2.2 Configuration Files", "c.py");
    let siblings = listed("## Files to Create", "a.py") + &listed("## Files to Modify", "b.py");
    for text in [children, siblings] {
        let design = parse(&text);
        assert_eq!(paths(&design), ["a.py", "b.py"]);
        assert_eq!(
            changes(&design),
            [Some(ChangeType::Add), Some(ChangeType::Modify)]
        );
    }
}

#[test]
fn title_about_files_does_not_make_every_table_a_list_of_files() {
    let design = parse(
        "# 5 - Bug: changed files are lost\n| File | Owner |\n|---|---|\n| `x.py` | me |\n\
         ## 2.1 Files Changed\n| File | Change Type |\n|---|---|\n| `a.py` | Add |\n",
    );
    assert_eq!(paths(&design), ["a.py"]);
}

#[test]
fn table_under_another_heading_is_found_by_its_columns() {
    let design = parse(
        "# X\n## Plan\n| Risk | Action |\n|---|---|\n| r | a |\n\n\
         | File | Change Type |\n|---|---|\n| `a.py` | Add |\n",
    );
    assert_eq!(paths(&design), ["a.py"]);
}

#[test]
fn document_with_top_level_sections_is_read_whole() {
    let design = parse(
        "# Limits\n# 2. Changes\n## 2.1 Files Changed\n| File | Change Type |\n|---|---|\n\
         | `a.py` | Add |\n# 3. Requirements\n1. works\n# 10. Testing\n## Test Scenarios\n\
         | # | Scenario |\n|---|---|\n| 1 | it works |\n",
    );
    assert_eq!(design.requirements, ["works"]);
    assert_eq!(scenario_ids(&design), ["1"]);
}

#[test]
fn embedded_document_without_marker_starts_at_the_second_title() {
    let design = parse(
        "# 1 - A\n## 2.1 Files Changed\n| File | Change Type |\n|---|---|\n| `a.py` | Add |\n\
         # Another document\n## 3. Requirements\n1. theirs\n",
    );
    assert!(design.requirements.is_empty());
}

#[test]
fn test_plan_alone_gives_the_scenarios() {
    let design = parse(
        "## 10. Verification\n### 10.0 Test Plan\n| Test ID | Test Description |\n|---|---|\n\
         | T010 | one |\n| T020 | two |\n| T020 | Two |\n| ... | ... |\n",
    );
    assert_eq!(scenario_ids(&design), ["T010", "T020"]);
}

#[test]
fn plan_adds_to_scenarios_only_when_they_share_a_numbering() {
    let document = |ids: &str| {
        format!(
            "## 10. Testing\n### 10.0 Test Plan\n| Test ID | Test Description |\n|---|---|\n\
             | T010 | one |\n| T020 | two |\n### 10.1 Test Scenarios\n| ID | Scenario |\n\
             |---|---|\n{ids}"
        )
    };
    let shared = parse(&document("| 010 | one |\n"));
    assert_eq!(scenario_ids(&shared), ["010", "T020"]);
    let separate = parse(&document("| S-1 | one |\n| S-2 | two |\n"));
    assert_eq!(scenario_ids(&separate), ["S-1", "S-2"]);
}

#[test]
fn tables_that_each_count_from_one_are_all_scenarios() {
    let design = parse(
        "## 10.1 Test Scenarios\n### Unit\n| ID | Scenario |\n|---|---|\n| 1 | one |\n\
         ### Integration\n| ID | Scenario |\n|---|---|\n| 1 | other |\n",
    );
    assert_eq!(scenario_ids(&design), ["1", "1"]);
}

#[test]
fn scenarios_without_ids_are_numbered() {
    let design = parse(
        "## Testing\n### Test Scenarios\n| Scenario | Expected |\n|---|---|\n| one | x |\n| two | y |\n",
    );
    assert_eq!(scenario_ids(&design), ["1", "2"]);
}

#[test]
fn requirements_may_be_bullets_or_a_table() {
    let bullets = parse("## 4. Functional Requirements\n- [ ] first\n- [x] second\n");
    assert_eq!(bullets.requirements, ["first", "second"]);
    let table = parse("## Requirements\n| Req ID | Requirement |\n|---|---|\n| R1 | first |\n");
    assert_eq!(table.requirements, ["first"]);
}

#[test]
fn issue_is_read_from_its_line_in_several_spellings() {
    for (line, expected) in [
        ("* **Issue:** #42", Some("42")),
        ("- Issue: [#42](https://example.org/issues/42)", Some("42")),
        ("**Issue**: https://example.org/issues/42", Some("42")),
        ("Issue: PROJ-42", Some("PROJ-42")),
        ("Issue: none", None),
        ("Related Issues: #42", None),
        ("Issues were found: 42", None),
    ] {
        let design = parse(&format!("# Title\n\n{line}\n"));
        assert_eq!(design.issue.as_deref(), expected, "{line}");
    }
}

#[test]
fn the_subject_is_the_title_without_its_issue() {
    for (title, subject) in [
        ("87 - Feature: Powers", "Feature: Powers"),
        ("#87: Powers", "Powers"),
        ("Powers of 87", "Powers of 87"),
        ("87", "87"),
    ] {
        let text = format!("# {title}\n\n* **Issue:** #87\n");
        assert_eq!(parse(&text).subject(), subject);
    }
}

#[test]
fn a_document_without_files_is_fatal_and_a_template_is_not() {
    let problems = check(&parse("# Only prose\n\ntext\n"), &nothing_exists);
    let fatal: Vec<_> = problems
        .iter()
        .filter(|problem| problem.is_fatal())
        .collect();
    assert_eq!(fatal.len(), 1);
    assert_eq!(fatal[0].kind, ProblemKind::LldNoFiles);
    let template = check(&parse(WHOLE_TEMPLATE), &nothing_exists);
    assert!(!template.is_empty());
    assert!(!template.iter().any(super::LldProblem::is_fatal));
}

#[test]
fn list_of_invalid_paths_or_directories_alone_is_fatal() {
    let text = "## 2.1 Files Changed\n| File | Change Type |\n|---|---|\n\
                | `../a.py` | Add |\n| `docs/` | Add |\n";
    let kinds = kinds(text, &everything_exists);
    assert_eq!(kinds[0], ProblemKind::LldNoFiles);
    assert!(kinds.contains(&ProblemKind::LldInvalidPath));
}

#[test]
fn targets_and_parents_are_checked_against_what_exists() {
    let exists = |path: &str| match path {
        "tests" | "service" | "service/settings.py" => Some(EntryKind::Directory),
        "service/upload.py" => Some(EntryKind::File),
        _ => None,
    };
    let problems = check(&parse(WHOLE_TEMPLATE), &exists);
    let found: Vec<_> = problems.iter().map(|it| (it.kind, it.line)).collect();
    assert_eq!(
        found,
        [
            (ProblemKind::LldMissingTarget, 26),
            (ProblemKind::LldNotAFile, 27),
            (ProblemKind::LldUncoveredRequirement, 55),
        ]
    );
    assert!(problems[2].message.contains("Limits survive a restart"));
}

#[test]
fn missing_parent_is_reported_once() {
    let text = "## 2.1 Files Changed\n| File | Change Type |\n|---|---|\n\
                | `new/a.py` | Add |\n| `new/b.py` | Add |\n| `top.py` | Add |\n";
    let missing = kinds(text, &nothing_exists)
        .into_iter()
        .filter(|kind| *kind == ProblemKind::LldMissingParent);
    assert_eq!(missing.count(), 1);
}

#[test]
fn requirement_named_by_its_number_is_covered() {
    let text = "## 3. Requirements\n1. quick brown foxes\n## 10. Testing\n### Test Scenarios\n\
                | ID | Scenario |\n|---|---|\n| 010 | jumps (REQ-1) |\n";
    assert!(!kinds(text, &nothing_exists).contains(&ProblemKind::LldUncoveredRequirement));
}

#[test]
fn problem_names_the_document_and_the_line() {
    let problem = check(&parse("text\n"), &nothing_exists).swap_remove(0);
    let reported = problem.into_context_problem("docs/lld.md");
    assert_eq!(reported.location, "docs/lld.md");
    assert!(reported.message.starts_with("line 1: "));
}

#[test]
fn what_exists_decides_between_add_and_modify() {
    let text = "## 2.1 Files Changed\n| File | Change Type |\n|---|---|\n| `a.py` | Add |\n\
                | `b.py` | Modify |\n| `c.py` | Delete |\n| `d.py` | |\n| `../e.py` | Add |\n\
                | `docs/` | Add |\n";
    let plan = |exists: &dyn Fn(&str) -> Option<EntryKind>| -> Vec<(String, ChangeType)> {
        let planned = resolve(&parse(text), exists);
        planned
            .into_iter()
            .map(|file| (file.path.into(), file.change))
            .collect()
    };
    let named = |changes: &[(&str, ChangeType)]| -> Vec<(String, ChangeType)> {
        changes
            .iter()
            .map(|(path, change)| ((*path).to_owned(), *change))
            .collect()
    };
    let (add, modify, delete) = (ChangeType::Add, ChangeType::Modify, ChangeType::Delete);
    assert_eq!(
        plan(&everything_exists),
        named(&[
            ("a.py", modify),
            ("b.py", modify),
            ("c.py", delete),
            ("d.py", modify)
        ])
    );
    assert_eq!(
        plan(&nothing_exists),
        named(&[("a.py", add), ("b.py", add), ("d.py", add)])
    );
}

#[test]
fn planned_file_serialises_under_the_contracts_names() {
    let planned = resolve(
        &parse("## 2.1 Files Changed\n| File | Description |\n|---|---|\n| `a.py` | it |\n"),
        &nothing_exists,
    );
    assert_eq!(
        serde_json::to_string(&planned).expect("it is plain data"),
        r#"[{"path":"a.py","change_type":"add","description":"it"}]"#
    );
}

/// Scraps of Markdown that a document may be made of in any order.
const PIECES: &[&str] = &[
    "\n",
    "\n\n",
    "# ",
    "## 2.1 Files Changed\n",
    "### 10.1 Test Scenarios\n",
    "## Requirements\n",
    "| File | Change |\n|---|---|\n",
    "| ID | Scenario |\n|---|---|\n",
    "| `a` | Add |\n",
    "|",
    "\\|",
    "`",
    "```\n",
    "1. ",
    "- [ ] ",
    "> ",
    "    ",
    "Issue: ",
    "#",
    "[x](",
    "é",
    "\u{FEFF}",
    "---\n",
    "===\n",
    "<!-- ",
    "-->",
    "**",
    "T010",
    "../",
    "\0",
    "\r",
];

proptest! {
    #[test]
    fn any_text_is_read_without_panic(
        text in any::<String>(),
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..30),
    ) {
        let document = pieces.concat();
        for document in [text, document.replace('\n', "\r\n"), document] {
            let design = parse(&document);
            check(&design, &nothing_exists);
            resolve(&design, &everything_exists);
        }
    }
}
