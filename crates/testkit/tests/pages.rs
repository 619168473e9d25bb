//! Keeps the pages of the repository connected: every link leads to a file and a heading, and the book has every page.

use std::collections::{BTreeMap, BTreeSet};

use proctor_testkit::{Page, repository_pages, workspace};

/// The book's table of contents.
const SUMMARY: &str = "docs/SUMMARY.md";

/// A path without `.` and `..`; none if it leaves the repository.
fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The file that a link on a page leads to; none if it leaves the repository.
fn target_of(page: &Page, path: &str) -> Option<String> {
    let folder = page.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    // From the root of the file system it would lead elsewhere on every machine.
    if path.starts_with('/') {
        return None;
    }
    if path.is_empty() {
        return Some(page.path.clone());
    }
    normal(&format!("{folder}/{path}"))
}

fn leads_elsewhere(target: &str) -> bool {
    ["https://", "http://", "mailto:"]
        .iter()
        .any(|scheme| target.starts_with(scheme))
}

/// What is wrong with the links of these pages, where `exists` says whether the repository has a path.
fn broken_links(pages: &[Page], exists: impl Fn(&str) -> bool) -> Vec<String> {
    let fragments: BTreeMap<&str, BTreeSet<String>> = pages
        .iter()
        .map(|page| (page.path.as_str(), page.fragments()))
        .collect();
    let mut broken = Vec::new();
    for page in pages {
        for link in page.links() {
            if leads_elsewhere(&link.target) {
                continue;
            }
            let (path, fragment) = match link.target.split_once('#') {
                Some((path, fragment)) => (path, Some(fragment)),
                None => (link.target.as_str(), None),
            };
            let target = target_of(page, path);
            let problem = match (&target, fragment) {
                (Some(target), None) if exists(target) => continue,
                (Some(target), Some(fragment)) if exists(target) => {
                    match fragments.get(target.as_str()) {
                        Some(names) if names.contains(fragment) => continue,
                        Some(_) => "has no such heading",
                        None => "is not a page with headings",
                    }
                }
                (Some(_), _) => "does not exist",
                (None, _) => "leaves the repository",
            };
            broken.push(format!(
                "{}:{}: {} {problem}",
                page.path, link.line, link.target
            ));
        }
    }
    broken
}

/// How the book's table of contents differs from the pages that there are.
fn summary_problems(pages: &[Page]) -> Vec<String> {
    let Some(summary) = pages.iter().find(|page| page.path == SUMMARY) else {
        return vec![format!("there is no {SUMMARY}")];
    };
    let mut listed = BTreeSet::new();
    let mut problems = Vec::new();
    for link in summary.links() {
        let Some(target) = target_of(summary, &link.target) else {
            continue;
        };
        if !listed.insert(target) {
            problems.push(format!("{} is listed twice", link.target));
        }
    }
    let missing = pages
        .iter()
        .filter(|page| page.path.starts_with("docs/") && page.path != SUMMARY)
        .filter(|page| !listed.contains(&page.path));
    problems.extend(missing.map(|page| format!("{} is not listed", page.path)));
    problems
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let pages = repository_pages();
    let links: usize = pages.iter().map(|page| page.links().len()).sum();
    assert!(pages.len() > 50 && links > 100, "the pages were not found");
    let root = workspace();
    let broken = broken_links(&pages, |path| root.join(path).exists());
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_book_has_every_page() {
    let problems = summary_problems(&repository_pages());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// A decision's number and sentence are its name wherever it is listed.
#[test]
fn the_book_names_every_decision_by_its_heading() {
    let pages = repository_pages();
    let summary = std::fs::read_to_string(workspace().join(SUMMARY)).expect("it is there");
    let decisions = pages
        .iter()
        .filter(|page| page.path.starts_with("docs/decisions/0"));
    for page in decisions {
        let text = std::fs::read_to_string(workspace().join(&page.path)).expect("it is there");
        let heading = text.lines().next().unwrap_or_default();
        let heading = heading.trim_start_matches("# ");
        let path = page.path.trim_start_matches("docs/");
        let line = format!("[{heading}]({path})");
        assert!(summary.contains(&line), "{SUMMARY} lacks {line}");
    }
}

#[test]
fn a_link_is_broken_without_its_file_or_its_heading() {
    let page = |path: &str, text: &str| Page::new(path, text);
    let cases = [
        ("[a](there.md)", None),
        ("[a](../README.md)", None),
        ("[a](there.md#part-one)", None),
        ("[a](#here)", None),
        ("[a](picture.svg)", None),
        ("[a](https://example.com/x#y)", None),
        ("`[a](gone.md)`", None),
        ("[a](gone.md)", Some("does not exist")),
        ("![a](gone.svg)", Some("does not exist")),
        ("<img src=\"gone.svg\">", Some("does not exist")),
        ("[a](there.md#part-two)", Some("has no such heading")),
        ("[a](#there)", Some("has no such heading")),
        ("[a](picture.svg#part)", Some("is not a page with headings")),
        ("[a](../../there.md)", Some("leaves the repository")),
        ("[a](/docs/there.md)", Some("leaves the repository")),
        ("[a][b]\n\n[b]: gone.md", Some("does not exist")),
    ];
    for (text, wanted) in cases {
        let pages = [
            page("docs/page.md", &format!("# Here\n\n{text}\n")),
            page("docs/there.md", "## Part *one*\n"),
            page("README.md", ""),
        ];
        let files = [
            "docs/page.md",
            "docs/there.md",
            "docs/picture.svg",
            "README.md",
        ];
        let broken = broken_links(&pages, |path| files.contains(&path));
        match wanted {
            None => assert!(broken.is_empty(), "{text}: {broken:?}"),
            Some(problem) => {
                assert_eq!(broken.len(), 1, "{text}: {broken:?}");
                assert!(broken[0].starts_with("docs/page.md:3: "), "{broken:?}");
                assert!(broken[0].ends_with(problem), "{broken:?}");
            }
        }
    }
}

#[test]
fn a_book_lacks_a_page_that_is_not_listed() {
    let book = |summary: &str| {
        summary_problems(&[
            Page::new(SUMMARY, summary),
            Page::new("docs/one.md", ""),
            Page::new("docs/folder/two.md", ""),
            Page::new("README.md", ""),
        ])
    };
    let one = "- [One](one.md)\n";
    let two = "  - [Two](folder/two.md)\n";
    assert_eq!(book(&format!("{one}{two}")), [""; 0]);
    assert_eq!(book(one), ["docs/folder/two.md is not listed"]);
    assert_eq!(
        book(&format!("{one}{two}{one}")),
        ["one.md is listed twice"]
    );
    assert_eq!(summary_problems(&[]), ["there is no docs/SUMMARY.md"]);
}
