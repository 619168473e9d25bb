//! Where a process was when it was stopped, as Python's own `faulthandler` writes it down.

use crate::test_outcome::Location;

/// The deepest frame of the main thread that lies in the tree; none if there is none, or nothing can be read. Packages
/// installed inside the tree do not count.
pub fn stopped_in(stack: &str, tree: &str) -> Option<Location> {
    // The threads come one after the other, the first one that there was last.
    let is_head =
        |line: &&str| line.starts_with("Thread 0x") || line.starts_with("Current thread 0x");
    let lines: Vec<&str> = stack.lines().collect();
    let head = lines.iter().rposition(is_head)?;
    let mut frames = lines[head + 1..].iter().map_while(|line| frame(line));
    frames.find_map(|(path, line)| {
        let inside = path.strip_prefix(tree)?.strip_prefix('/')?;
        let installed = inside
            .split('/')
            .any(|part| matches!(part, "site-packages" | "dist-packages"));
        let path = inside.to_owned();
        (!installed).then_some(Location { path, line })
    })
}

/// `  File "/a/b.py", line 3 in name`.
fn frame(line: &str) -> Option<(&str, u32)> {
    let (path, rest) = line.strip_prefix("  File \"")?.split_once("\", line ")?;
    let number = rest.split(' ').next()?;
    Some((path, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::stopped_in;

    const STACK: &str = "Timeout (0:00:10)!\n\
        Thread 0x00007f0 (most recent call first):\n  File \"/t/other.py\", line 9 in g\n\n\
        Thread 0x00007f1 (most recent call first):\n  File \"/usr/lib/python3/re.py\", line 1 in match\n  \
        File \"/t/.venv/lib/site-packages/x.py\", line 2 in x\n  File \"/t/src/m.py\", line 7 in f\n  \
        File \"/t/test_m.py\", line 4 in test_f\n";

    fn place(stack: &str, tree: &str) -> Option<(String, u32)> {
        stopped_in(stack, tree).map(|place| (place.path, place.line))
    }

    #[test]
    fn the_deepest_frame_of_the_tree_in_the_first_thread_is_meant() {
        assert_eq!(place(STACK, "/t"), Some(("src/m.py".to_owned(), 7)));
        let in_test = STACK.replace("  File \"/t/src/m.py\", line 7 in f\n", "");
        assert_eq!(place(&in_test, "/t"), Some(("test_m.py".to_owned(), 4)));
        assert_eq!(place(STACK, "/tt"), None);
        assert_eq!(
            place(STACK, "/usr/lib"),
            Some(("python3/re.py".to_owned(), 1))
        );
    }

    #[test]
    fn what_is_no_stack_says_nothing() {
        for stack in [
            "",
            "nonsense",
            "Thread 0x1 (most recent call first):\n  <no Python frame>\n",
        ] {
            assert_eq!(place(stack, "/t"), None, "{stack}");
        }
    }
}
