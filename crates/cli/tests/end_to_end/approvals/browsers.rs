//! Passkeys in a real browser, with an authenticator that exists in it alone.

use proctor_testkit::{Browser, WaitingPage, say_skipped};
use serde_json::Value;

use super::wall::Wall;
use crate::desk::Desk;
use crate::project::{POWERS, Project, implement, scaffold};

/// A browser; without one the test says that it was skipped.
fn browser() -> Option<Browser> {
    match Browser::start() {
        Ok(mut browser) => {
            browser.plug_in_authenticator();
            Some(browser)
        }
        Err(reason) => {
            say_skipped("passkeys in a real browser", &reason);
            None
        }
    }
}

/// Waits until the page shows the result.
fn said(browser: &mut Browser) -> Value {
    browser.wait_for("document.body.dataset.phase === 'end'");
    browser.evaluate("document.getElementById('said').textContent")
}

fn page_of(wall: &Wall, words: &[&str]) -> WaitingPage {
    WaitingPage::start(wall.environment.proctor_command(words))
}

/// Makes a passkey for Ada, and commits that she approves with it.
fn enrol(wall: &Wall, browser: &mut Browser) -> String {
    let page = page_of(wall, &["keys", "add", "--passkey"]);
    browser.open(&page.address);
    browser.evaluate("document.getElementById('go').click()");
    assert_eq!(
        said(browser),
        "The passkey is made. The terminal says what is next."
    );
    let (code, _, said) = page.wait();
    assert_eq!(code, 0, "{said}");
    wall.repository.commit_all("Ada has a passkey")
}

/// Types an answer and sends it.
fn answer(browser: &mut Browser, word: &str) {
    browser.evaluate(&format!("document.getElementById('word').value = '{word}'"));
    browser.evaluate("document.getElementById('go').click()");
}

const PASSKEY: &str = "[approval]\nsign = \"passkey\"\npresence = \"verified\"\n";

#[test]
fn a_passkey_made_in_a_browser_approves_there_and_is_verified() {
    let Some(mut browser) = browser() else { return };
    let wall = Wall::with(PASSKEY, "ed25519", &[]);
    let base = enrol(&wall, &mut browser);
    let hostile = "<img src=x onerror=\"window.ran = 1\"><script>window.ran = 1</script>\n";
    wall.repository.write("README.md", hostile);
    let page = page_of(&wall, &["review", "--all", "--web", "-m", "Something"]);
    browser.open(&page.address);
    // The change's content is shown and not run, and the page blocks foreign scripts.
    let shown = browser.evaluate("document.querySelector('pre.diff').textContent");
    assert!(
        shown
            .as_str()
            .is_some_and(|text| text.contains(hostile.trim())),
        "{shown}"
    );
    assert_eq!(browser.evaluate("window.ran"), Value::Null);
    let inline = "(() => { try { const it = document.createElement('script'); it.textContent = 'window.ran = 2';
        document.body.append(it); } catch { } return window.ran })()";
    assert_eq!(browser.evaluate(inline), Value::Null);
    // Only the whole word is an answer.
    answer(&mut browser, "yes");
    browser.wait_for("document.getElementById('said').className === 'bad'");
    answer(&mut browser, "approve");
    assert_eq!(
        said(&mut browser),
        "Signed. The terminal says what came of it."
    );
    let (code, _, words) = page.wait();
    assert_eq!(code, 0, "{words}");
    insta::assert_snapshot!(wall.verify(&["--base", &base]).normalised_stdout(), @"[ID]  approved by ada@example.com (verified)");
}

#[test]
fn without_a_touch_of_the_passkey_nothing_is_approved() {
    let Some(mut browser) = browser() else { return };
    let wall = Wall::with(PASSKEY, "ed25519", &[]);
    let base = enrol(&wall, &mut browser);
    wall.repository.write("README.md", "one\n");
    let words = ["review", "--all", "--web", "-m", "Something"];
    // Another person touches it: the browser itself says no.
    browser.forget_owner();
    let page = page_of(&wall, &words);
    browser.open(&page.address);
    answer(&mut browser, "APPROVE");
    assert_eq!(said(&mut browser), "Nothing was approved.");
    let (code, _, told) = page.wait();
    assert_eq!(code, 3, "{told}");
    assert!(told.contains("(NotAllowedError)"), "{told}");
    // It is not touched, and the user stops waiting.
    browser.stop_touching();
    let page = page_of(&wall, &words);
    browser.open(&page.address);
    answer(&mut browser, "APPROVE");
    browser
        .wait_for("document.getElementById('said').textContent.includes('asks for your passkey')");
    page.interrupt();
    assert_eq!(page.wait().0, 130);
    // The page is closed before it is touched, and opened again: it was approved, and it still has to be signed.
    let mut page = page_of(&wall, &words);
    browser.open(&page.address);
    answer(&mut browser, "APPROVE");
    browser
        .wait_for("document.getElementById('said').textContent.includes('asks for your passkey')");
    let spent = page.address.clone();
    browser.open("about:blank");
    browser.open(&spent);
    page.expect_address();
    browser.open(&page.address);
    assert_eq!(browser.evaluate("document.body.dataset.phase"), "sign");
    browser.evaluate("document.getElementById('decline').click()");
    assert_eq!(said(&mut browser), "Nothing was approved.");
    let (code, _, words) = page.wait();
    assert_eq!(code, 3, "{words}");
    assert_eq!(wall.id("HEAD"), base);
    assert_eq!(wall.approvals(), 0);
}

#[test]
fn comments_beside_lines_go_back_to_the_model() {
    let Some(mut browser) = browser() else { return };
    let Project {
        environment,
        repository,
    } = Project::new();
    let desk = Desk {
        environment,
        repository,
    };
    let settings = format!("[test]\nmutants = \"off\"\n{PASSKEY}");
    let wall = Wall::in_desk(desk, &settings, "ed25519", &[]);
    let base = enrol(&wall, &mut browser);
    let better = POWERS.replace("x * x * x", "x ** 3");
    let script = proctor_testkit::Script::new()
        .reply(scaffold())
        .reply(implement(POWERS))
        .reply(implement(&better));
    let model = script.write_to(wall.environment.root().join("script.jsonl"));
    let document = wall.environment.root().join("lld.md").display().to_string();
    let words = [
        "run", "--issue", "87", "--lld", &document, "--model", &model,
    ];
    // No person is at a terminal: it waits for its review.
    wall.environment.proctor(words).expect_code(3);
    let mut page = page_of(&wall, &["review", "87", "--web"]);
    browser.open(&page.address);
    let text = browser.evaluate("document.querySelector('main').innerText");
    let text = text.as_str().expect("text");
    for words in [
        "Powers",
        "red",
        "green",
        "mathkit/power.py",
        "tests/test_power.py",
    ] {
        assert!(text.contains(words), "{words} is not in {text}");
    }
    let line = "Array.from(document.querySelectorAll('pre[data-path=\"mathkit/power.py\"] .line.added'))[0]";
    browser.evaluate(&format!("{line}.click()"));
    browser.evaluate(
        "(() => { const box = document.querySelector('textarea.comment'); box.value = 'say\\nmore';
            box.dispatchEvent(new Event('input')); })()",
    );
    // The comment is not lost when the person approves.
    answer(&mut browser, "APPROVE");
    browser.wait_for(
        "document.getElementById('said').textContent.includes('comments that you have not sent')",
    );
    browser.evaluate("document.getElementById('comment').click()");
    browser.wait_for("document.getElementById('said').textContent.includes('on their way')");
    page.expect_address();
    browser.open(&page.address);
    let shown = browser.evaluate("document.querySelector('main').innerText");
    assert!(
        shown.as_str().is_some_and(|text| text.contains("x ** 3")),
        "{shown}"
    );
    answer(&mut browser, "APPROVE");
    said(&mut browser);
    let (code, _, words) = page.wait();
    assert_eq!(code, 0, "{words}");
    let log = wall.environment.proctor(["--format", "json", "log"]).json();
    let comment = "mathkit/power.py:1: say more";
    assert!(log["records"].to_string().contains(comment), "{log}");
    insta::assert_snapshot!(wall.verify(&["--base", &base]).normalised_stdout(), @"[ID]  approved by ada@example.com (verified)");
}
