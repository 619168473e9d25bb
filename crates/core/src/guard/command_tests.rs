use super::*;

fn wishes(text: &str) -> Vec<Wish> {
    Command::read(text).wishes.into_iter().collect()
}

#[test]
fn a_commit_is_seen_wherever_it_stands_in_a_line() {
    for text in [
        "git commit -m x",
        "git add -A && git commit -am 'work'",
        "cd sub; git commit -m \"a;b\"",
        "make || git commit -m x",
        "env X=1 Y='a b' git commit",
        "X=1 git -C dir -c user.name=a commit -m x",
        "/usr/bin/git commit",
        "echo $(git commit -m x)",
        "echo \"`git commit -m x`\"",
        "(git commit -m x)",
        "{ git commit -m x; }",
        "bash -lc 'git add . && git commit -m x'",
        "sh -c \"git commit -m x\" || true",
        "eval git commit -m x",
        "timeout 10 git commit -m x",
        "sudo -u me git commit -m x",
        "if true; then git commit -m x; fi",
        "git \\\n commit -m x",
        "git commit-tree -m x HEAD^{tree}",
        "git update-ref refs/heads/main abc",
        "git 'commit' -m x",
    ] {
        assert_eq!(wishes(text), [Wish::Commit], "{text}");
    }
}

#[test]
fn what_only_speaks_of_a_commit_is_none() {
    for text in [
        "echo git commit",
        "git log --grep commit",
        "git status && git diff",
        "grep -rn 'git commit' docs",
        "# git commit -m x",
        "git show HEAD:commit",
        "printf '%s' \"git commit --no-verify\"",
        "git config --get core.hooksPath",
        "git config core.hooksPath",
        "proctor gate change",
        "proctor guard status",
        "proctor guard -C elsewhere status",
        "proctor keys --format json list",
        "proctor -C . guard refactor",
        "proctor review --dry-run",
        "cat .git/config",
        "",
        "'",
        "$(",
    ] {
        assert_eq!(wishes(text), [], "{text}");
    }
}

#[test]
fn what_goes_around_hooks_is_seen() {
    for text in [
        "git commit --no-verify -m x",
        "git commit --no-veri -m x",
        "git commit -n",
        "git commit -an",
        "git -c core.hooksPath=/dev/null commit -m x",
        "git -ccore.hookspath=/dev/null commit -m x",
        "git config core.hooksPath /dev/null",
        "git config --global Core.HooksPath x",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit",
        "export GIT_CONFIG_PARAMETERS=\"'core.hooksPath=/dev/null'\"; git status",
        "git merge --no-verify x",
    ] {
        assert!(wishes(text).contains(&Wish::AroundHooks), "{text}");
    }
    assert_eq!(
        wishes("git push --no-verify"),
        [Wish::Push, Wish::AroundHooks]
    );
    assert_eq!(
        wishes("git commit -m n"),
        [Wish::Commit],
        "a message is not an option"
    );
    assert_eq!(wishes("git commit -mn"), [Wish::Commit]);
}

#[test]
fn what_is_a_persons_is_seen() {
    for text in [
        "proctor review",
        "echo APPROVE | proctor review 87",
        "yes APPROVE | proctor run --issue 87",
        "proctor guard off",
        "proctor guard uninstall -C status",
        "proctor guard off --color never -C refactor",
        "proctor keys add -C list",
        "proctor -C .. --format json guard uninstall codex",
        "proctor trust",
        "env -u CLAUDECODE sh -c 'proctor gate red'",
        "CLAUDECODE= proctor gate red",
        "unset GEMINI_CLI; true",
    ] {
        assert_eq!(wishes(text), [Wish::Person], "{text}");
    }
}

#[test]
fn obvious_writes_are_named() {
    for (text, files) in [
        ("echo x > a.py", vec!["a.py"]),
        (
            "echo x >> 'a b.py' 2>/dev/null",
            vec!["a b.py", "/dev/null"],
        ),
        (
            "cat <<EOF >.claude/settings.json\n{}\nEOF",
            vec![".claude/settings.json"],
        ),
        (
            "sed -i s/a/b/ tests/test_a.py",
            vec!["s/a/b/", "tests/test_a.py"],
        ),
        ("sed s/a/b/ tests/test_a.py", vec![]),
        ("rm -f .git/hooks/pre-push", vec![".git/hooks/pre-push"]),
        ("ls 2>&1 | tee out.txt", vec!["out.txt"]),
        ("test 1 -gt 0 && cat a", vec![]),
    ] {
        assert_eq!(Command::read(text).writes, files, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,80}") {
        let _ = Command::read(&text);
    }

    #[test]
    fn words_around_a_commit_do_not_hide_it(before in "[a-z]{1,8}( [a-z\"']{0,3}[a-z]{1,5}[\"']{0,0})?", separator in "(&&|;|\\|\\||\\||\n)") {
        let quotes = before.matches(['"', '\'']).count();
        let text = format!("{before} {separator} git commit -m x");
        if quotes == 0 && !CARRIERS.contains(&before.as_str()) {
            proptest::prop_assert!(Command::read(&text).wishes.contains(&Wish::Commit), "{}", text);
        }
    }
}
