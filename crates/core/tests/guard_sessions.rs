//! The guard's sessions: stories, and rules that hold for every order of events.

use proctor_core::gate::VerdictWord;
use proctor_core::guard::{
    Answer, ChangeFound, Command, Effect, Event, Known, Place, RedFound, Role, Seal, SealedFile,
    Session, Stage, Step, Wish, Work, decide,
};
use proctor_core::object_id::{BlobId, TreeId};
use proctor_core::path::ProjectPath;
use proptest::prelude::*;

const TEST: &str = "tests/test_a.py";

fn tree(number: u8) -> TreeId {
    TreeId::parse(&format!("{number:040x}")).expect("forty digits")
}

fn seal() -> Seal {
    Seal(vec![SealedFile {
        path: ProjectPath::parse(TEST).expect("a plain path"),
        blob: BlobId::parse(&"a".repeat(40)).expect("forty digits"),
        sha256: "judged".to_owned(),
    }])
}

/// The facts that a world would give.
#[derive(Debug, Clone)]
struct World {
    head: u8,
    drifted: bool,
    red: bool,
    change: VerdictWord,
    unjudged: bool,
}

impl Default for World {
    fn default() -> Self {
        Self {
            head: 0,
            drifted: false,
            red: true,
            change: VerdictWord::ValidGreen,
            unjudged: false,
        }
    }
}

/// The answer, and the facts determined for it.
fn tell(session: &mut Session, event: &Event, world: &World) -> (Answer, Vec<Effect>) {
    let mut known = Known::default();
    let mut effects = Vec::new();
    loop {
        match decide(session, (&tree(world.head), None), event, &known) {
            Step::Say(answer, next) => {
                *session = *next;
                return (answer, effects);
            }
            Step::Do(effect) => {
                assert!(!effects.contains(&effect), "{effect:?} is asked for twice");
                effects.push(effect);
                match effect {
                    Effect::CompareSeals => {
                        let files = session.seal.0.iter();
                        known.drifted = Some(files.filter(|_| world.drifted).cloned().collect());
                    }
                    Effect::JudgeRed => {
                        known.red = Some(RedFound {
                            valid: world.red,
                            tests: seal(),
                            reasons: "NOT RED".to_owned(),
                        });
                    }
                    Effect::JudgeChange => {
                        known.change = Some(ChangeFound {
                            tree: tree(200),
                            word: world.change,
                            reasons: "NOT GREEN".to_owned(),
                        });
                    }
                    Effect::JudgeCommits => {
                        let lines = ["COMMIT".to_owned()].into_iter();
                        known.unjudged = Some(lines.filter(|_| world.unjudged).collect());
                    }
                }
            }
        }
    }
}

fn edit(path: &str, role: Role) -> Event {
    Event::Edit(vec![Place {
        path: path.to_owned(),
        role,
    }])
}

fn source() -> Event {
    edit("app.py", Role::Source)
}

fn test() -> Event {
    edit(TEST, Role::Test)
}

fn shell(text: &str) -> Event {
    let command = Command::read(text);
    let writes = command.writes.iter().map(|path| Place {
        path: path.clone(),
        role: if path == TEST {
            Role::Test
        } else {
            Role::Outside
        },
    });
    Event::Command {
        wishes: command.wishes.iter().copied().collect(),
        writes: writes.collect(),
    }
}

fn refused(answer: &Answer) -> bool {
    matches!(answer, Answer::Refuse(_))
}

#[test]
fn a_change_is_sealed_then_green_then_committed() {
    let mut session = Session::new(tree(0));
    let none = World {
        red: false,
        ..World::default()
    };
    let (answer, effects) = tell(&mut session, &source(), &none);
    assert!(refused(&answer) && effects == [Effect::JudgeRed]);
    assert_eq!(session.stage(), Stage::Open);
    let good = World::default();
    assert_eq!(
        tell(&mut session, &test(), &good),
        (Answer::Pass(None), vec![])
    );
    assert!(!refused(&tell(&mut session, &source(), &good).0));
    assert_eq!(session.stage(), Stage::Sealed);
    let (answer, effects) = tell(&mut session, &source(), &good);
    assert_eq!(
        (answer, effects),
        (Answer::Pass(None), vec![Effect::CompareSeals])
    );
    assert!(
        refused(&tell(&mut session, &test(), &good).0),
        "it is sealed"
    );
    let wrong = World {
        change: VerdictWord::InvalidGreen,
        ..World::default()
    };
    assert!(refused(
        &tell(&mut session, &shell("git commit -m x"), &wrong).0
    ));
    assert!(refused(
        &tell(&mut session, &Event::End { repeated: false }, &wrong).0
    ));
    assert!(!refused(
        &tell(&mut session, &Event::End { repeated: true }, &good).0
    ));
    assert_eq!(session.stage(), Stage::Green);
    assert!(!refused(
        &tell(&mut session, &shell("git commit -m x"), &good).0
    ));
    let committed = World {
        head: 200,
        ..World::default()
    };
    assert!(!refused(&tell(&mut session, &Event::Done, &committed).0));
    assert_eq!(session.stage(), Stage::Committed);
    assert!(
        session.seal.is_empty(),
        "the next change may touch the file again"
    );
}

#[test]
fn a_drifted_seal_stops_everything_until_it_is_whole_again_whatever_is_committed() {
    let mut session = Session::new(tree(0));
    let good = World::default();
    tell(&mut session, &source(), &good);
    let drifted = World {
        drifted: true,
        ..World::default()
    };
    let (answer, _) = tell(&mut session, &Event::Done, &drifted);
    assert!(matches!(answer, Answer::Refuse(words) if words.contains("git cat-file blob")));
    for head in [0, 7, 200] {
        let world = World {
            head,
            ..drifted.clone()
        };
        assert!(refused(&tell(&mut session, &source(), &world).0));
        assert!(refused(
            &tell(&mut session, &shell("git commit -m x"), &world).0
        ));
        assert!(refused(
            &tell(&mut session, &Event::End { repeated: false }, &world).0
        ));
        assert_eq!(session.stage(), Stage::Broken);
    }
    let restore = shell(&format!("git cat-file blob a > '{TEST}'"));
    assert!(
        !refused(&tell(&mut session, &restore, &drifted).0),
        "it may be put back"
    );
    assert!(!refused(&tell(&mut session, &Event::Done, &good).0));
    assert_eq!(session.stage(), Stage::Sealed, "the change goes on");
}

#[test]
fn after_three_blocks_the_agent_is_let_go_and_a_new_turn_starts_the_count_again() {
    let mut session = Session::new(tree(0));
    let wrong = World {
        change: VerdictWord::InvalidGreen,
        ..World::default()
    };
    let mut ends = |repeated| tell(&mut session, &Event::End { repeated }, &wrong).0;
    assert!(refused(&ends(false)) && refused(&ends(true)) && refused(&ends(true)));
    let let_go = ends(true);
    assert!(matches!(let_go, Answer::Pass(Some(words)) if words.contains("a person is needed")));
    assert!(refused(&ends(false)), "the next turn is judged again");
}

#[test]
fn kinds_of_change_are_no_dead_ends() {
    let mut session = Session::new(tree(0));
    let word = |change| World {
        change,
        red: false,
        ..World::default()
    };
    let end = Event::End { repeated: false };
    for (change, blocked) in [
        (VerdictWord::Neutral, false),
        (VerdictWord::ValidTests, false),
        (VerdictWord::ValidRefactor, false),
        (VerdictWord::ValidRed, false),
        (VerdictWord::NeedsPerson, false),
        (VerdictWord::NothingChanged, false),
        (VerdictWord::InvalidRefactor, true),
        (VerdictWord::InvalidTests, true),
    ] {
        assert_eq!(
            refused(&tell(&mut session, &end, &word(change)).0),
            blocked,
            "{change:?}"
        );
    }
    for (change, denied) in [
        (VerdictWord::Neutral, false),
        (VerdictWord::ValidRefactor, false),
        (VerdictWord::ValidRed, true),
        (VerdictWord::NeedsPerson, true),
    ] {
        let commit = tell(&mut session, &shell("git commit -m x"), &word(change)).0;
        assert_eq!(refused(&commit), denied, "{change:?}");
    }
    let neutral = edit("README.md", Role::Neutral);
    assert_eq!(
        tell(&mut session, &neutral, &word(VerdictWord::Neutral)).1,
        vec![]
    );
    assert!(refused(
        &tell(&mut session, &source(), &word(VerdictWord::Neutral)).0
    ));
    assert!(!refused(
        &tell(&mut session, &Event::Refactor, &World::default()).0
    ));
    assert_eq!(session.stage(), Stage::Refactoring);
    assert_eq!(
        tell(&mut session, &source(), &word(VerdictWord::Neutral)).1,
        vec![]
    );
    tell(&mut session, &test(), &World::default());
    assert_eq!(
        session.stage(),
        Stage::Open,
        "tests make it another kind of change"
    );
    tell(&mut session, &source(), &World::default());
    assert!(
        refused(&tell(&mut session, &Event::Refactor, &World::default()).0),
        "sealed"
    );
}

#[test]
fn tests_that_came_after_the_seal_are_judged_before_the_next_source_file() {
    let mut session = Session::new(tree(0));
    let good = World::default();
    tell(&mut session, &source(), &good);
    let other = edit("tests/test_b.py", Role::Test);
    assert!(!refused(&tell(&mut session, &other, &good).0));
    let (_, effects) = tell(&mut session, &source(), &good);
    assert_eq!(effects, [Effect::CompareSeals, Effect::JudgeRed]);
    let (_, effects) = tell(&mut session, &source(), &good);
    assert_eq!(effects, [Effect::CompareSeals]);
}

#[test]
fn unaccepted_commits_are_brought_up_at_the_end_and_before_a_push() {
    let mut session = Session::new(tree(0));
    let around = World {
        change: VerdictWord::NothingChanged,
        unjudged: true,
        head: 9,
        ..World::default()
    };
    assert!(refused(
        &tell(&mut session, &Event::End { repeated: false }, &around).0
    ));
    assert!(refused(&tell(&mut session, &shell("git push"), &around).0));
    let judged = World {
        unjudged: false,
        ..around
    };
    assert!(!refused(
        &tell(&mut session, &Event::End { repeated: false }, &judged).0
    ));
    assert!(!refused(&tell(&mut session, &shell("git push"), &judged).0));
}

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        Just(Event::Start),
        Just(source()),
        Just(test()),
        Just(edit("README.md", Role::Neutral)),
        Just(edit("try/a.py", Role::Scratch)),
        Just(edit("proctor.toml", Role::Machinery)),
        Just(shell("git commit -m x")),
        Just(shell("git commit --no-verify -m x")),
        Just(shell("proctor guard off")),
        Just(shell("ls")),
        Just(Event::Done),
        Just(Event::End { repeated: false }),
        Just(Event::End { repeated: true }),
        Just(Event::Refactor),
    ]
}

fn any_world() -> impl Strategy<Value = World> {
    let words = prop_oneof![
        Just(VerdictWord::ValidGreen),
        Just(VerdictWord::InvalidGreen),
        Just(VerdictWord::NeedsPerson),
        Just(VerdictWord::NothingChanged),
    ];
    (0..3_u8, any::<bool>(), any::<bool>(), words, any::<bool>()).prop_map(
        |(head, drifted, red, change, unjudged)| World {
            head,
            drifted,
            red,
            change,
            unjudged,
        },
    )
}

proptest! {
    #[test]
    fn no_order_of_events_leads_around_the_rules(
        story in prop::collection::vec((any_event(), any_world()), 1..40),
    ) {
        let mut session = Session::new(tree(0));
        for (event, world) in story {
            let before = session.clone();
            let (answer, effects) = tell(&mut session, &event, &world);
            let allowed = !refused(&answer);
            if event == edit("proctor.toml", Role::Machinery) {
                prop_assert!(!allowed);
            }
            if event == source() && allowed {
                let red = effects.contains(&Effect::JudgeRed) && world.red;
                let sealed = !before.seal.is_empty() && !world.drifted;
                // The stage may be green by then; the work continues as declared.
                let was = sealed || before.work == Work::Refactoring;
                prop_assert!(red || was, "source without a red: {before:?}");
                prop_assert!(session.seal.is_empty() || red || !world.drifted);
            }
            if event == shell("git commit -m x") && allowed {
                prop_assert!(effects.contains(&Effect::JudgeChange));
                prop_assert!(world.change.is_good() || world.change == VerdictWord::NothingChanged);
            }
            if let Event::Command { wishes, .. } = &event
                && (wishes.contains(&Wish::AroundHooks) || wishes.contains(&Wish::Person))
            {
                prop_assert!(!allowed);
            }
            if session.green.is_some() && before.green.is_none() {
                prop_assert!(effects.contains(&Effect::JudgeChange) && world.change.is_good());
            }
            if before.stage() != Stage::Off {
                prop_assert!(session.stage() != Stage::Off, "only a person does that");
            }
            if !before.seal.is_empty() && world.drifted {
                prop_assert_eq!(session.stage(), Stage::Broken);
                prop_assert_eq!(&session.seal, &before.seal);
            }
        }
    }
}
