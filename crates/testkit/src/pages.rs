//! The repository's Markdown pages as readers meet them: links, headings, fenced blocks, and the commands in these.

use std::collections::BTreeSet;
use std::path::Component;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::own_files::text_files;

/// Folders whose Markdown is the input of a test or a program, not for readers.
const LEFT_OUT: [&str; 4] = ["testdata", "corpus", "node_modules", "demo"];

/// A Markdown page of the repository.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its path from the root of the repository, with slashes.
    pub path: String,
    text: String,
}

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// As it is written: an address, or a path with or without a fragment.
    pub target: String,
    /// Where it is, counted from 1.
    pub line: usize,
}

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The first word behind the fence; empty without one.
    pub language: String,
    /// Without the fences and their indentation.
    pub text: String,
    /// The line of the opening fence, counted from 1.
    pub line: usize,
}

/// A command that a page tells its reader to type, or a server to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageCommand {
    /// The command without its prompt and without a comment behind it.
    pub text: String,
    /// The lines below it up to the next command: output, or a here-document.
    pub below: String,
}

/// Every Markdown page of the repository that is there to be read, in the order of their paths.
pub fn repository_pages() -> Vec<Page> {
    let is_left_out = |part: Component<'_>| LEFT_OUT.iter().any(|name| part.as_os_str() == *name);
    let files = text_files().into_iter();
    let pages = files.filter(|(path, _)| {
        path.extension().is_some_and(|extension| extension == "md")
            && !path.components().any(is_left_out)
    });
    pages
        .map(|(path, text)| Page::new(&path.to_string_lossy(), &text))
        .collect()
}

impl Page {
    /// A page with this text.
    pub fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    fn events(&self) -> impl Iterator<Item = (Event<'_>, usize)> {
        Parser::new_ext(&self.text, Options::ENABLE_TABLES)
            .into_offset_iter()
            .map(|(event, range)| (event, self.text[..range.start].matches('\n').count() + 1))
    }

    /// Its links and images, in Markdown and in HTML.
    pub fn links(&self) -> Vec<Link> {
        let mut links = Vec::new();
        for (event, line) in self.events() {
            let targets = match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    vec![dest_url.into_string()]
                }
                Event::Html(markup) | Event::InlineHtml(markup) => addresses(&markup),
                _ => Vec::new(),
            };
            links.extend(targets.into_iter().map(|target| Link { target, line }));
        }
        links
    }

    /// The fragments that lead to its headings, as GitHub and mdbook name them.
    pub fn fragments(&self) -> BTreeSet<String> {
        let mut heading: Option<String> = None;
        let mut found = BTreeSet::new();
        for (event, _) in self.events() {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let name = fragment(&heading.take().unwrap_or_default());
                    let mut numbered = name.clone();
                    let mut number = 0;
                    while !found.insert(numbered) {
                        number += 1;
                        numbered = format!("{name}-{number}");
                    }
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Its fenced blocks.
    pub fn blocks(&self) -> Vec<Block> {
        let mut open: Option<Block> = None;
        let mut blocks = Vec::new();
        for (event, line) in self.events() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(about))) => {
                    let language = about.split([' ', ',']).next().unwrap_or_default();
                    open = Some(Block {
                        language: language.to_owned(),
                        text: String::new(),
                        line,
                    });
                }
                Event::Text(text) => {
                    if let Some(block) = &mut open {
                        block.text.push_str(&text);
                    }
                }
                Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
                _ => {}
            }
        }
        blocks
    }

    /// The texts between backticks.
    pub fn code_spans(&self) -> Vec<String> {
        self.events()
            .filter_map(|(event, _)| match event {
                Event::Code(text) => Some(text.into_string()),
                _ => None,
            })
            .collect()
    }

    /// The commands of its blocks, in order.
    pub fn commands(&self) -> Vec<PageCommand> {
        self.blocks().iter().flat_map(Block::commands).collect()
    }
}

impl Block {
    /// The commands of a session at a terminal (`console`), of a script (`sh`, `bash`) or of a recipe (`yaml`).
    pub fn commands(&self) -> Vec<PageCommand> {
        let mut commands: Vec<PageCommand> = Vec::new();
        for line in self.text.lines() {
            let command = match self.language.as_str() {
                "console" => line.strip_prefix("$ "),
                "sh" | "bash" => Some(line.trim()),
                "yaml" => {
                    let step = line.trim().trim_start_matches("- ");
                    Some(step.strip_prefix("run: ").unwrap_or(step))
                        // A recipe's other lines are keys and their values.
                        .filter(|step| {
                            step.split(' ')
                                .next()
                                .is_some_and(|word| !word.ends_with(':'))
                        })
                }
                _ => None,
            };
            match command.map(without_comment) {
                Some("") => {}
                Some(text) => commands.push(PageCommand {
                    text: text.to_owned(),
                    below: String::new(),
                }),
                None => {
                    if let Some(last) = commands.last_mut()
                        && self.language == "console"
                    {
                        last.below.push_str(line);
                        last.below.push('\n');
                    }
                }
            }
        }
        commands
    }
}

/// The values of `src`, `srcset` and `href` in a piece of HTML.
fn addresses(markup: &str) -> Vec<String> {
    let mut found = Vec::new();
    for name in [" src=\"", " srcset=\"", " href=\""] {
        for rest in markup.split(name).skip(1) {
            found.extend(rest.split('"').next().map(str::to_owned));
        }
    }
    found
}

fn fragment(heading: &str) -> String {
    heading
        .trim()
        .chars()
        .filter_map(|letter| match letter {
            ' ' => Some('-'),
            '-' | '_' => Some(letter),
            _ if letter.is_alphanumeric() => letter.to_lowercase().next(),
            _ => None,
        })
        .collect()
}

/// A piece of a command line.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Word(String),
    /// Ends a command: `&&`, `||`, `|`, `;`.
    End,
    /// The next word names a file: `<`, `>`, `>>`, `<<`.
    Redirection,
    /// Everything from here on is a comment.
    Comment(usize),
}

/// The words and operators of a line, as a shell reads it; variables stay as they are written.
fn pieces(line: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        match letter {
            '#' if word.is_none() => {
                pieces.push(Piece::Comment(place));
                return pieces;
            }
            ' ' | '\t' => pieces.extend(word.take().map(Piece::Word)),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                while let Some((_, inner)) = letters.next_if(|(_, inner)| *inner != letter) {
                    word.push(inner);
                }
                letters.next();
            }
            '\\' => word
                .get_or_insert_default()
                .extend(letters.next().map(|(_, escaped)| escaped)),
            '&' | '|' | ';' | '<' | '>' => {
                pieces.extend(word.take().map(Piece::Word));
                while letters.next_if(|(_, next)| *next == letter).is_some() {}
                pieces.push(match letter {
                    '<' | '>' => Piece::Redirection,
                    _ => Piece::End,
                });
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    pieces.extend(word.map(Piece::Word));
    pieces
}

fn without_comment(line: &str) -> &str {
    match pieces(line).last() {
        Some(Piece::Comment(place)) => line[..*place].trim_end(),
        _ => line.trim_end(),
    }
}

/// The calls of a program in a command line, each as its words: `exec proctor graph > a | cat` has one of `proctor`.
pub fn calls_of(program: &str, line: &str) -> Vec<Vec<String>> {
    let mut calls = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut names_file = false;
    for piece in pieces(line).into_iter().chain([Piece::End]) {
        match piece {
            Piece::Word(_) if names_file => names_file = false,
            Piece::Word(word) if words.is_empty() && word == "exec" => {}
            Piece::Word(word) => words.push(word),
            Piece::Redirection => names_file = true,
            Piece::End => calls.push(std::mem::take(&mut words)),
            Piece::Comment(_) => {}
        }
    }
    calls.retain(|words| words.first().is_some_and(|word| word == program));
    calls
}

#[cfg(test)]
mod tests {
    use super::{Link, Page, calls_of};

    const PAGE: &str = "\
# A page: its `parts`

## Not-a_word, is it?

See [there](other.md#part) and ![a picture](a.svg \"title\"), but not `[this](x.md)`.

| a |
|---|
| [in a table](b.md) |

<img src=\"c.png\" alt=\"\">

## A page: its parts

```console
$ proctor gate red   # a comment with a # in it
$ echo '# no comment' && cat <<'END'
text
END
$ true
```

  ```yaml
  - run: proctor verify \"$A..$B\" --format json > f.json   # or: something
    with: { base: proctor }
  ```
";

    #[test]
    fn links_are_found_wherever_they_are_and_nowhere_else() {
        let links: Vec<_> = Page::new("a.md", PAGE)
            .links()
            .into_iter()
            .map(|Link { target, line }| (target, line))
            .collect();
        let wanted = [
            ("other.md#part", 5),
            ("a.svg", 5),
            ("b.md", 9),
            ("c.png", 11),
        ];
        assert_eq!(
            links,
            wanted.map(|(target, line)| (target.to_owned(), line))
        );
    }

    #[test]
    fn headings_have_fragments_and_the_second_of_a_name_has_a_number() {
        let fragments = Page::new("a.md", PAGE).fragments();
        let wanted = ["a-page-its-parts", "a-page-its-parts-1", "not-a_word-is-it"];
        assert!(fragments.iter().eq(wanted.iter()), "{fragments:?}");
    }

    #[test]
    fn commands_have_no_prompt_and_no_comment_and_keep_what_is_below() {
        let commands = Page::new("a.md", PAGE).commands();
        let shown: Vec<_> = commands
            .iter()
            .map(|it| (it.text.as_str(), it.below.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                ("proctor gate red", ""),
                ("echo '# no comment' && cat <<'END'", "text\nEND\n"),
                ("true", ""),
                ("proctor verify \"$A..$B\" --format json > f.json", ""),
            ]
        );
    }

    #[test]
    fn calls_are_found_between_the_operators_of_a_shell() {
        let cases: [(&str, &[&[&str]]); 6] = [
            ("proctor graph > a.mmd", &[&["proctor", "graph"]]),
            ("cat proctor.toml | grep proctor", &[]),
            (
                "proctor man|man -l - && proctor init",
                &[&["proctor", "man"], &["proctor", "init"]],
            ),
            (
                "exec proctor verify 'a b'\"c\"",
                &[&["proctor", "verify", "a bc"]],
            ),
            (
                "proctor new 1 'a | b' # proctor init",
                &[&["proctor", "new", "1", "a | b"]],
            ),
            ("echo \\| proctor", &[]),
        ];
        for (line, wanted) in cases {
            assert_eq!(calls_of("proctor", line), wanted, "{line}");
        }
    }
}
