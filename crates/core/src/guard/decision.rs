//! The answer to a hook, and the facts that have to be determined before it.

use super::session::{Green, Seal, SealedFile, Session, Work};
use super::words;
use super::{Role, Wish, rules};
use crate::gate::VerdictWord;
use crate::object_id::{CommitId, TreeId};

/// How often in a row an agent is sent back.
const MOST_BLOCKS: u32 = 3;

/// An event that a client's hook reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// An agent begins.
    Start,
    /// It is about to change these files.
    Edit(Vec<Place>),
    /// It is about to run a command that obviously wants these things and writes these files.
    Command {
        /// The command's intentions.
        wishes: Vec<Wish>,
        /// The places it writes to.
        writes: Vec<Place>,
    },
    /// A tool has done something.
    Done,
    /// It is about to end; `repeated` if it was sent back just before.
    End {
        /// Whether the agent continues because of the answer to the last such event.
        repeated: bool,
    },
    /// The client's settings were changed.
    Settings {
        /// Whether the guard's hooks are still in them.
        intact: bool,
    },
    /// It says that it is going to change source alone.
    Refactor,
}

/// A file that is about to be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// From the project's root; as it was given if it lies elsewhere.
    pub path: String,
    /// The file's role.
    pub role: Role,
}

/// The facts determined so far. None is cached: each was determined for this event.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Sealed files that differ from the judged ones.
    pub drifted: Option<Vec<SealedFile>>,
    /// The red verdict on the current tests.
    pub red: Option<RedFound>,
    /// The judgement of everything that differs.
    pub change: Option<ChangeFound>,
    /// Commits that were never accepted: a line each.
    pub unjudged: Option<Vec<String>>,
}

/// The red gate's result for the tests that differ.
#[derive(Debug, Clone)]
pub struct RedFound {
    /// Whether it is valid.
    pub valid: bool,
    /// The test files that differ.
    pub tests: Seal,
    /// Why it is not, for the agent.
    pub reasons: String,
}

/// The gates' result for everything that differs.
#[derive(Debug, Clone)]
pub struct ChangeFound {
    /// The judged tree.
    pub tree: TreeId,
    /// The verdict's name.
    pub word: VerdictWord,
    /// Why it is not accepted, and the next step, for the agent.
    pub reasons: String,
}

/// A fact that has to be determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Whether the sealed files are as they were judged.
    CompareSeals,
    /// Whether the tests that differ are a valid red.
    JudgeRed,
    /// The gates' verdict on everything that differs.
    JudgeChange,
    /// Whether every new commit was accepted.
    JudgeCommits,
}

/// The answer to an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The guard does not object. It never allows anything that the client would ask about.
    Pass(Option<String>),
    /// The guard objects; or, after the fact, this has to be fixed.
    Refuse(String),
}

/// The next step.
#[derive(Debug, Clone)]
pub enum Step {
    /// Find this out, then ask again.
    Do(Effect),
    /// The answer, and the session after it.
    Say(Answer, Box<Session>),
}

/// The answer to an event, or the fact that has to be determined first. `head` is the current commit.
pub fn decide(
    session: &Session,
    head: (&TreeId, Option<&CommitId>),
    event: &Event,
    known: &Known,
) -> Step {
    let mut session = session.clone();
    let moved = session.base != *head.0;
    if session.work == Work::Off {
        if moved {
            session = session.moved_to(head.0);
        }
        let told = matches!(event, Event::Start).then(|| rules(&session));
        return say(Answer::Pass(told), session);
    }
    // A commit alone does not lift a seal: the seal ends with the commit only if it is intact.
    if !session.seal.is_empty() {
        let Some(drifted) = &known.drifted else {
            return Step::Do(Effect::CompareSeals);
        };
        if drifted.is_empty() {
            if session.work == Work::Broken {
                session.work = Work::Sealed;
            }
        } else {
            session.work = Work::Broken;
            session.green = None;
        }
    }
    if moved {
        session = match session.work {
            Work::Broken => Session {
                base: head.0.clone(),
                ..session
            },
            _ => session.moved_to(head.0),
        };
    }
    if session.since.is_none() {
        session.since = head.1.cloned();
    }
    let drifted = known.drifted.as_deref().unwrap_or_default();
    match event {
        Event::Start => {
            session.blocks = 0;
            let mut text = rules(&session);
            if session.work == Work::Broken {
                text = format!("{text}\n{}", words::restore(drifted));
            }
            say(Answer::Pass(Some(text)), session)
        }
        Event::Edit(places) => edit(session, places, known, drifted),
        Event::Command { wishes, writes } => command(session, wishes, writes, known, drifted),
        Event::Done if session.work == Work::Broken => {
            say(Answer::Refuse(words::restore(drifted)), session)
        }
        Event::Done | Event::Settings { intact: true } => say(Answer::Pass(None), session),
        Event::End { repeated } => end(session, *repeated, known, drifted),
        Event::Settings { intact: false } => {
            say(Answer::Refuse(words::SETTINGS_GONE.to_owned()), session)
        }
        Event::Refactor => refactor(session, drifted),
    }
}

fn say(answer: Answer, session: Session) -> Step {
    Step::Say(answer, Box::new(session))
}

fn refuse(words: impl Into<String>, session: Session) -> Step {
    say(Answer::Refuse(words.into()), session)
}

/// The first of these files that only a person may change, in words.
fn untouchable(session: &Session, places: &[Place]) -> Option<String> {
    places.iter().find_map(|place| match place.role {
        Role::Machinery => Some(words::machinery(&place.path)),
        _ if session.seal.holds(&place.path) => Some(words::sealed(&place.path)),
        _ => None,
    })
}

fn edit(mut session: Session, places: &[Place], known: &Known, drifted: &[SealedFile]) -> Step {
    if let Some(words) = untouchable(&session, places) {
        return refuse(words, session);
    }
    let has = |role: Role| places.iter().any(|place| place.role == role);
    let changes = [Role::Source, Role::Test, Role::Neutral]
        .into_iter()
        .any(has);
    if has(Role::Source) {
        if session.work == Work::Broken {
            return refuse(words::restore(drifted), session);
        }
        let is_open = session.work == Work::Open;
        if is_open || (session.work == Work::Sealed && session.fresh_tests) {
            let Some(red) = &known.red else {
                return Step::Do(Effect::JudgeRed);
            };
            if !red.valid {
                let (first, reasons) = (words::TESTS_FIRST, red.reasons.trim_end());
                let words = format!("{first}:\n{reasons}\n{}", words::HOW_TO_BEGIN);
                return refuse(words, session);
            }
            session.work = Work::Sealed;
            session.seal = red.tests.clone();
            session.fresh_tests = false;
            session.green = None;
            session.committed = false;
            let names: Vec<&str> = red.tests.0.iter().map(|it| it.path.as_str()).collect();
            let told = format!("valid red; sealed from now on: {}", names.join(", "));
            return say(Answer::Pass(Some(told)), session);
        }
    }
    if has(Role::Test) {
        session.fresh_tests = true;
        if session.work == Work::Refactoring {
            session.work = Work::Open;
        }
    }
    if changes {
        session.green = None;
        session.committed = false;
    }
    say(Answer::Pass(None), session)
}

fn command(
    mut session: Session,
    wishes: &[Wish],
    writes: &[Place],
    known: &Known,
    drifted: &[SealedFile],
) -> Step {
    if let Some(words) = untouchable(&session, writes) {
        // A sealed file may be put back with a redirection; whether it was is seen afterwards.
        let restoring = session.work == Work::Broken
            && !writes.iter().any(|place| place.role == Role::Machinery);
        if !restoring {
            return refuse(words, session);
        }
    }
    for wish in wishes {
        match wish {
            Wish::AroundHooks => return refuse(words::AROUND_HOOKS, session),
            Wish::Person => return refuse(words::PERSONS, session),
            Wish::Commit | Wish::Push => {}
        }
    }
    if wishes.contains(&Wish::Commit) {
        if session.work == Work::Broken {
            return refuse(words::restore(drifted), session);
        }
        let Some(found) = &known.change else {
            return Step::Do(Effect::JudgeChange);
        };
        match found.word {
            VerdictWord::NothingChanged => {}
            VerdictWord::NeedsPerson => {
                let words = format!("{}\n{}", words::PERSON_NEEDED, found.reasons);
                return refuse(words, session);
            }
            VerdictWord::ValidRed => {
                let words = "these tests are red, and a red is not committed: implement what they ask for first";
                return refuse(words, session);
            }
            word if word.is_good() => session.green = Some(found.green()),
            _ => {
                let words = format!(
                    "this is not accepted yet, so it is not committed:\n{}",
                    found.reasons
                );
                return refuse(words, session);
            }
        }
    }
    if wishes.contains(&Wish::Push) {
        let Some(unjudged) = &known.unjudged else {
            return Step::Do(Effect::JudgeCommits);
        };
        if !unjudged.is_empty() {
            let words = format!("not every commit was accepted:\n{}", unjudged.join("\n"));
            return refuse(words, session);
        }
    }
    say(Answer::Pass(None), session)
}

fn end(mut session: Session, repeated: bool, known: &Known, drifted: &[SealedFile]) -> Step {
    if !repeated {
        session.blocks = 0;
    }
    let mut told = None;
    let wrong = if session.work == Work::Broken {
        Some(words::restore(drifted))
    } else {
        let Some(found) = &known.change else {
            return Step::Do(Effect::JudgeChange);
        };
        match found.word {
            VerdictWord::NothingChanged => None,
            VerdictWord::NeedsPerson => {
                told = Some(format!("{}\n{}", words::PERSON_NEEDED, found.reasons));
                None
            }
            VerdictWord::ValidRed => {
                told = Some(
                    "valid red: the tests fail as they should, and nothing is implemented yet"
                        .to_owned(),
                );
                None
            }
            word if word.is_good() => {
                session.green = Some(found.green());
                told = Some(format!("{} by Proctor", word.words()));
                None
            }
            _ => Some(found.reasons.clone()),
        }
    };
    let wrong = if wrong.is_some() {
        wrong
    } else {
        let Some(unjudged) = &known.unjudged else {
            return Step::Do(Effect::JudgeCommits);
        };
        let lines = unjudged.join("\n");
        (!lines.is_empty()).then(|| format!("commits that no gate has accepted:\n{lines}"))
    };
    let Some(wrong) = wrong else {
        session.blocks = 0;
        return say(Answer::Pass(told), session);
    };
    if session.blocks >= MOST_BLOCKS {
        session.blocks = 0;
        let told = format!("{}:\n{wrong}", words::LET_GO);
        return say(Answer::Pass(Some(told)), session);
    }
    session.blocks += 1;
    refuse(wrong, session)
}

fn refactor(mut session: Session, drifted: &[SealedFile]) -> Step {
    match session.work {
        Work::Broken => refuse(words::restore(drifted), session),
        Work::Sealed => {
            let words =
                "tests are sealed for this change already; finish and commit it, then refactor";
            refuse(words, session)
        }
        _ => {
            session.work = Work::Refactoring;
            session.green = None;
            session.committed = false;
            let told = "refactoring: source may be edited; at the end existing tests have to pass and to execute every changed line";
            say(Answer::Pass(Some(told.to_owned())), session)
        }
    }
}

impl ChangeFound {
    fn green(&self) -> Green {
        Green {
            tree: self.tree.clone(),
            word: self.word,
        }
    }
}
