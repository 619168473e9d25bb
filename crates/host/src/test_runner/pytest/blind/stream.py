"""Follows a run of cut tests record by record, and reports missing values. Follows `referee.py`."""

WORST = {HELD: 0, NOT_JUDGED: 1, FAILED: 2}
# The kinds that tell a right value from a wrong one; the others hold for many wrong ones as well.
TELLING = ("value", "visible", "both", "state")


class Test:
    """The facts about one test."""

    def __init__(self, name):
        self.name, self.outcomes, self.verdicts, self.visits, self.sent = name, [], {}, collections.Counter(), {}

    def outcome(self):
        for wanted in ("failed", "xfailed", "xpassed", "skipped"):
            if wanted in self.outcomes:
                return wanted
        return "passed" if self.outcomes else "not_run"

    def add(self, number, verdict):
        self.visits[number] += 1
        old = self.verdicts.get(number)
        if old is None or WORST[verdict.judgement] > WORST[old.judgement]:
            self.verdicts[number] = verdict


class Run:
    """The records of one run."""

    def __init__(self, sealed, records):
        self.places = {place["id"]: place for place in sealed["places"]}
        self.expected = Expected(sealed)
        self.judge = Judge(self.expected)
        self.tests, self.order, self.current, self.open = {}, [], None, {}
        self.bad, self.collected, self.exit = [], None, None
        self.spoilt, self.bound = None, {}
        for line in records.split("\n"):
            if line:
                self.take(json.loads(line))

    def take(self, record):
        kind = record.get("kind")
        if kind == "begin":
            self.begin(record["id"])
        elif kind == "subtest":
            # A skipped part of a test does not change the test's outcome.
            if record["outcome"] == "failed":
                self.test(record["id"]).outcomes.append("failed")
        elif kind == "phase":
            self.test(record["id"]).outcomes.append(record["outcome"])
            if record.get("phase") == "call" and self.current is not None:
                self.call_ended()
        elif kind == "collected":
            self.collected = record["ids"]
        elif kind == "finish":
            self.exit = record["exit"]
        elif kind == "value":
            self.value(record)

    def test(self, name):
        if name not in self.tests:
            self.tests[name] = Test(name)
        return self.tests[name]

    def begin(self, name):
        self.current, self.open, self.bound, self.spoilt = self.test(name), {}, {}, None
        self.expected.begin(name)

    def call_ended(self):
        """An exception may end a comparison; the test says itself whether it was expected."""
        for _, number in self.open:
            self.current.add(number, Verdict(NOT_JUDGED, None, "the comparison did not come to its end"))
        self.open = {}

    def value(self, record):
        place = self.places.get(record["place"])
        if place is None or not isinstance(record["index"], int):
            self.bad.append("a record of a place that does not exist")
            return
        number, index = place["id"], record["index"]
        test = self.current if self.current is not None else self.test("")
        if "foreign" in record:
            test.add(number, Verdict(FAILED, None, "a record was sent by %s" % record["foreign"]))
            return
        handler = getattr(self, "at_" + place["kind"], None)
        if handler is not None:
            handler(place, index, record["value"], test)
            return
        if BOUND <= index < TYPE:
            self.bound[number, index] = record["value"]
            return
        # Threads visit a place at the same time.
        visit = (record.get("thread"), number)
        sent = self.open.setdefault(visit, {})
        if index in sent:
            # The visit before ended by an exception.
            test.add(number, Verdict(NOT_JUDGED, None, "the comparison did not come to its end"))
            sent.clear()
        sent[index] = record["value"]
        if index == closing(place):
            self.open.pop(visit)
            sent.update((key, value) for (owner, key), value in self.bound.items() if owner == number)
            self.close(place, sent, test)

    def close(self, place, sent, test):
        number = place["id"]
        missing = [index for index in needed(place) if index not in sent]
        test.sent.setdefault(number, []).append({key: value for key, value in sent.items() if key != RESULT})
        if missing:
            test.add(number, Verdict(FAILED, None, "a part of its record is missing"))
        elif self.spoilt:
            test.add(number, Verdict(NOT_JUDGED, None, self.spoilt))
        else:
            test.add(number, self.judge.judge(place, sent))

    def at_process(self, place, index, value, test):
        test.add(place["id"], Verdict(NOT_JUDGED, None, place["reason"]))

    def at_site(self, place, index, value, test):
        number = str(place["given"])
        self.expected.given.pop(number, None)
        try:
            if place["operands"][0] is not None:
                self.expected.given[number] = self.expected.of(place["operands"][0])
        except Undecided:
            pass

    def at_loop(self, place, index, value, test):
        number = str(place["table"])
        if index == 1:
            self.expected.rounds[number] = -1
            return
        self.expected.rounds[number] = self.expected.rounds.get(number, -1) + 1
        self.inputs(place, value)

    def at_input(self, place, index, value, test):
        self.inputs(place, value)

    def inputs(self, place, value):
        """The arguments of a case are those that its table says."""
        columns = self.expected.tables[str(place["table"])]["columns"]
        try:
            row = self.expected.row(str(place["table"]))
            wanted = tuple(self.expected.of(columns[column][row]) for column in place["columns"])
            content = Content(value)
            if content.plain() and not content.nan and not alike(content.value, wanted):
                self.spoilt = "the test was given another input than its table says"
        except (Undecided, Unreadable, RecursionError):
            pass


def without_addresses(sent):
    """The sent values, without numbers that differ in every process."""
    if isinstance(sent, dict):
        return {index: without_addresses(value) for index, value in sent.items()}
    if not isinstance(sent, list):
        return sent
    if len(sent) == 2 and type(sent[0]) is int and isinstance(sent[1], str):
        # A class: its number says only when it was first seen.
        return sent[1]
    if len(sent) == 5 and sent[0] == "o":
        sent = sent[:2] + sent[3:]
    return [without_addresses(part) for part in sent]


def needed(place):
    """The values that every visit of a place sends."""
    kind = place["kind"]
    if kind == "compare":
        stays = [index for index, operand in enumerate(place["operands"]) if "cut" not in operand]
        return stays + [INNER + int(index) for index in place["inner"]] + [BOUND + index for index in place["bound"]]
    if kind == "instance":
        return [TYPE] if place["operands"][0] is not None else [TYPE, 1]
    if kind == "raises":
        return place["needs"]
    return [MOCK] if kind == "mock" else [0]


def closing(place):
    """The last of it."""
    kind = place["kind"]
    if kind == "compare":
        stays = [index for index, operand in enumerate(place["operands"]) if "cut" not in operand]
        return RESULT if place["result"] else stays[-1]
    return RESULT if kind == "truth" else needed(place)[-1]


class Marked(Run):
    """The run of the same files with everything still in them: its values are only compared."""

    def __init__(self, sealed, records):
        places = [dict(place, result=False) if place["kind"] == "compare" else place for place in sealed["places"]]
        places = [dict(place, kind="marked") if place["kind"] == "truth" else place for place in places]
        super().__init__(dict(sealed, places=places), records)

    def close(self, place, sent, test):
        test.sent.setdefault(place["id"], []).append(dict(sent))
        test.visits[place["id"]] += 1


class Hearing:
    """The whole answer."""

    def __init__(self, request):
        self.sealed = request["sealed"]
        self.blind = Run(self.sealed, request["records"])
        marked = request.get("marked")
        self.marked = None if marked is None else Marked(self.sealed, marked)
        self.differing = []

    def owed(self, test):
        """Why a test that passed did not send all its values."""
        function = test.name.partition("[")[0]
        for number in self.sealed["tests"].get(function, []):
            if number not in test.verdicts:
                yield number, "it was not reached"
        other = self.marked.tests.get(test.name) if self.marked else None
        for number, visits in other.visits.items() if other is not None else ():
            if number not in test.verdicts and self.blind.places[number]["kind"] not in ("input", "site", "loop"):
                yield number, "it is reached only while the expected values are there"

    def test(self, test):
        outcome, reason = test.outcome(), None
        for verdict in test.verdicts.values():
            if verdict.judgement == HELD and verdict.classes and not verdict.classes & Content.STATES.several:
                verdict.judgement, verdict.reason = NOT_JUDGED, "no object of its class was seen with another state"
        if outcome == "passed":
            for number, missing in self.owed(test):
                test.add(number, Verdict(FAILED, None, missing))
        elif outcome == "failed":
            reason = "it fails when its expected values are cut out"
        else:
            reason = "it is %s" % outcome
        # Of the whole suite only the new tests are run again with everything in them.
        other = self.marked.tests.get(test.name) if self.marked is not None else None
        if other is not None:
            if other.outcome() != outcome:
                reason = reason or "it ends otherwise while the expected values are there"
                outcome = "failed"
            else:
                self.differing.extend([test.name, number] for number, sent in test.sent.items()
                                      if without_addresses(other.sent.get(number)) != without_addresses(sent))
        judgements = collections.Counter(verdict.judgement for verdict in test.verdicts.values())
        telling = sum(1 for verdict in test.verdicts.values()
                      if verdict.judgement == HELD and verdict.by in TELLING)
        judgement = NOT_JUDGED
        if judgements[FAILED] or outcome == "failed":
            judgement = FAILED
        elif outcome == "passed" and judgements[HELD]:
            judgement = HELD
        return dict(id=test.name, judgement=judgement, reason=reason, held=judgements[HELD], telling=telling,
                    failed=judgements[FAILED], not_judged=judgements[NOT_JUDGED])

    def answer(self):
        tests = [self.test(test) for test in self.blind.tests.values()]
        problems = list(self.blind.bad)
        if self.blind.exit is None:
            problems.append("the run did not come to its end")
        ran = set(self.blind.tests)
        wanted = set(self.blind.collected or []) | set(self.marked.tests if self.marked else [])
        problems.extend("%s was not run" % name for name in sorted(wanted - ran - {""}))
        places = []
        for test in self.blind.tests.values():
            for number, verdict in sorted(test.verdicts.items()):
                place = self.blind.places[number]
                places.append(dict(id=test.name, place=number, path=place["path"], line=place["line"],
                                   judgement=verdict.judgement, by=verdict.by, reason=verdict.reason,
                                   in_process=place["kind"] == "process", visits=test.visits[number]))
        reached = {entry["place"] for entry in places}
        unreached = [dict(place=place["id"], path=place["path"], line=place["line"])
                     for place in self.sealed["places"]
                     if place["id"] not in reached and place["kind"] not in ("input", "site", "loop")]
        return dict(places=places, tests=tests, problems=problems, unreached=unreached,
                    differing=[dict(id=name, place=number) for name, number in self.differing])


def main():
    sys.setrecursionlimit(5000)
    request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    answer = Hearing(request).answer()
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=True).encode("ascii"))


if __name__ == "__main__":
    main()
