//! A body that comes in pieces, as the documents in it.

/// How the documents are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// `data:` lines, an empty line after each event.
    Events,
    /// A document a line.
    Lines,
    /// One document.
    Whole,
}

impl Framing {
    /// As the answer declares itself; an answer without a type counts as the requested one.
    pub(super) fn of(content_type: Option<&str>, asked: Self) -> Self {
        let kind = content_type.and_then(|value| value.split(';').next());
        match kind.map(|kind| kind.trim().to_ascii_lowercase()).as_deref() {
            Some("text/event-stream") => Self::Events,
            Some("application/x-ndjson" | "application/jsonl") => Self::Lines,
            Some("application/json") => Self::Whole,
            _ => asked,
        }
    }
}

/// Puts bytes together to documents.
#[derive(Debug)]
pub(super) struct Documents {
    framing: Framing,
    /// The text without a line break yet.
    line: Vec<u8>,
    /// The data lines of an event that is not over yet.
    data: String,
}

impl Documents {
    pub(super) fn new(framing: Framing) -> Self {
        Self {
            framing,
            line: Vec::new(),
            data: String::new(),
        }
    }

    /// How much waits for its end; the caller decides how much is too much.
    pub(super) fn waiting(&self) -> usize {
        self.line.len() + self.data.len()
    }

    /// Takes in bytes and gives the documents that are complete now.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut complete = Vec::new();
        let mut rest = bytes;
        while self.framing != Framing::Whole
            && let Some(end) = rest.iter().position(|byte| *byte == b'\n')
        {
            self.line.extend_from_slice(&rest[..end]);
            rest = &rest[end + 1..];
            let line = std::mem::take(&mut self.line);
            complete.extend(self.end_of_line(&line));
        }
        self.line.extend_from_slice(rest);
        complete
    }

    /// The rest, complete because nothing more comes.
    pub(super) fn end(mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        match self.framing {
            Framing::Whole | Framing::Lines => text(&line),
            Framing::Events => {
                // Some servers forget the empty line after the last event.
                self.end_of_line(&line)
                    .or_else(|| Some(self.data).filter(|data| !data.is_empty()))
            }
        }
    }

    fn end_of_line(&mut self, line: &[u8]) -> Option<String> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if self.framing == Framing::Lines {
            return text(line);
        }
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return Some(data).filter(|data| !data.is_empty());
        }
        // Comments, names and numbers of events say nothing that the data does not.
        let data = line.strip_prefix(b"data:")?;
        let data = data.strip_prefix(b" ").unwrap_or(data);
        if !self.data.is_empty() {
            self.data.push('\n');
        }
        self.data.push_str(&String::from_utf8_lossy(data));
        None
    }
}

fn text(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    (!text.trim().is_empty()).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(framing: Framing, pieces: &[&str]) -> Vec<String> {
        let mut documents = Documents::new(framing);
        let mut found: Vec<String> = pieces
            .iter()
            .flat_map(|piece| documents.feed(piece.as_bytes()))
            .collect();
        found.extend(documents.end());
        found
    }

    #[test]
    fn events_are_found_wherever_the_pieces_are_cut() {
        let stream =
            ": hello\r\nevent: a\r\ndata: {\"ä\":1}\r\n\r\ndata: one\ndata:two\n\ndata: [DONE]\n\n";
        let expected = ["{\"ä\":1}", "one\ntwo", "[DONE]"];
        assert_eq!(read(Framing::Events, &[stream]), expected);
        for size in 1..9 {
            let mut documents = Documents::new(Framing::Events);
            let mut found = Vec::new();
            for piece in stream.as_bytes().chunks(size) {
                found.extend(documents.feed(piece));
            }
            found.extend(documents.end());
            assert_eq!(found, expected, "in pieces of {size}");
        }
    }

    #[test]
    fn a_last_event_without_its_empty_line_counts() {
        assert_eq!(read(Framing::Events, &["data: a\n\ndata: b"]), ["a", "b"]);
        assert_eq!(read(Framing::Events, &["data: a\n"]), ["a"]);
    }

    #[test]
    fn lines_and_whole_documents() {
        assert_eq!(
            read(Framing::Lines, &["{}\n\n{\"a\"", ":1}\n"]),
            ["{}", "{\"a\":1}"]
        );
        assert_eq!(read(Framing::Whole, &["{\n", "}\n"]), ["{\n}\n"]);
        assert_eq!(read(Framing::Whole, &[]), Vec::<String>::new());
    }

    #[test]
    fn an_answer_in_one_piece_is_taken_as_such() {
        let of = |kind| Framing::of(kind, Framing::Events);
        assert_eq!(of(Some("application/json; charset=utf-8")), Framing::Whole);
        assert_eq!(of(Some("text/event-stream")), Framing::Events);
        assert_eq!(of(None), Framing::Events);
    }
}
