"""Compares the actual values that a run of cut tests sent with the expected ones that were cut out of them.

Reads one JSON document from standard input and writes one to standard output, in a process that nothing of the
project has ever run in. Follows `known.py` and `content.py`.
"""

import sys

RESULT, INNER, BOUND, TYPE, MOCK = 99, 100, 200, 300, 500
HELD, FAILED, NOT_JUDGED = "held", "failed", "not_judged"


class Verdict:
    def __init__(self, judgement, by=None, reason=None):
        self.judgement, self.by, self.reason = judgement, by, reason
        # Of objects whose state it goes by.
        self.classes = set()


def held_if(right, by, reason):
    return Verdict(HELD, by) if right else Verdict(FAILED, by, reason)


def shown(value):
    text = repr(value)
    return text if len(text) <= 120 else text[:120] + "…"


class Expected:
    """The sealed table: expressions, and their values for the running case."""

    def __init__(self, sealed):
        self.tables, self.constants = sealed["tables"], sealed["constants"]
        self.parsed, self.fixed = {}, {}
        self.left = set(sealed["left"])
        self.node, self.rounds, self.given = "", {}, {}

    def begin(self, node):
        self.node, self.rounds, self.given = node, {}, {}

    def of(self, text):
        if text in self.fixed:
            return self.fixed[text]
        if text not in self.parsed:
            self.parsed[text] = ast.parse(text, mode="eval").body
        try:
            value = Worked(self.name).value(self.parsed[text])
        except NotKnown as error:
            raise Undecided("the expected value cannot be worked out: %s" % error)
        except Exception as error:
            raise Undecided("the expected value cannot be worked out: %s" % type(error).__name__)
        if "__row_" not in text and "__given_" not in text:
            self.fixed[text] = value
        return value

    def stands_elsewhere(self, value):
        """Whether all that tells a value from others can be read in the process."""
        parts = telling_parts(value)
        return bool(parts) and self.left.issuperset(parts)

    def name(self, name):
        found = re.match(r"__(row|const|given)_(\d+)(?:_(\d+))?__$", name)
        if not found:
            raise NotKnown(name)
        kind, number, column = found.groups()
        if kind == "const":
            return self.of(self.constants[number])
        if kind == "given":
            if number not in self.given:
                raise NotKnown("a helper was called from elsewhere")
            return self.given[number]
        return self.of(self.tables[number]["columns"][int(column)][self.row(number)])

    def row(self, number):
        """The row of a table that runs: by the name of the test, or by counting the rounds of a loop."""
        table = self.tables[number]
        if "token" in table:
            found = re.search(re.escape(table["token"]) + r"(\d+)(?!\d)", self.node.partition("[")[2])
            row = int(found.group(1)) if found else -1
        else:
            row = self.rounds.get(number, -1)
        if not 0 <= row < table["count"]:
            raise Undecided("it is not known which row of its table this is")
        return row


class Judge:
    """The rules: the judgement of a visit of a place."""

    def __init__(self, expected):
        self.expected = expected

    def judge(self, place, sent):
        try:
            return getattr(self, "on_" + place["kind"])(place, sent)
        except Undecided as error:
            return Verdict(NOT_JUDGED, None, str(error))
        except Unreadable as error:
            return Verdict(FAILED, None, str(error))
        except RecursionError:
            return Verdict(NOT_JUDGED, None, "it nests too deep")

    def on_compare(self, place, sent):
        values, contents, expected, visible = [], [], [], False
        for index, operand in enumerate(place["operands"]):
            if "cut" in operand:
                value, content, is_expected = self.expected.of(operand["cut"]), None, True
            else:
                content = Content(sent[index])
                value, is_expected = content.value, False
                # An object's identity does not depend on its contents.
                if operand["known"] is not None and not set(place["operators"]) <= {"is", "is not"}:
                    is_expected = content.plain() and self.is_still(operand["known"], value)
                    visible = visible or is_expected
            values.append(value)
            contents.append(content)
            expected.append(is_expected)
        self.functions_agree(place, sent)
        result = sent.get(RESULT)
        if RESULT in sent:
            need(isinstance(result, bool))
        decided = []
        for index, operator in enumerate(place["operators"]):
            pair = Pair(operator, values[index:index + 2], contents[index:index + 2], expected[index:index + 2])
            verdict = pair.verdict(place["polarity"], result, len(place["operators"]) == 1)
            decided.append(verdict)
            if verdict.judgement == FAILED and place["polarity"]:
                return verdict
        for value, is_expected in zip(values, expected):
            visible = visible or is_expected and self.expected.stands_elsewhere(value)
        return self.together(place, sent, decided, visible)

    def is_still(self, text, value):
        """Whether a value is the literal one; of a helper's argument that is not always known."""
        try:
            wanted = self.expected.of(text)
        except Undecided:
            return False
        if not alike(wanted, value):
            raise Undecided("the recorded value was changed in the process")
        return True

    def together(self, place, sent, decided, visible):
        for verdict in decided:
            if verdict.judgement == NOT_JUDGED:
                return verdict
        if len(decided) > 1 and not place["polarity"]:
            return Verdict(NOT_JUDGED, None, "a negated chain of comparisons")
        verdict = decided[0]
        for other in decided:
            if other.judgement == FAILED:
                return other
        if verdict.by == "both" and any(sent[BOUND + index] != sent[index] for index in place["bound"]):
            raise Undecided("it was changed between its binding and its assertion")
        if verdict.by == "value" and visible:
            verdict.by = "visible"
        return verdict

    def functions_agree(self, place, sent):
        """`len`, `json.loads` and the like are applied again to their arguments: code may have put something else
        in their place, and removed it again before anyone looks."""
        for index, name in place["inner"].items():
            given, gave = Content(sent[INNER + int(index)]), Content(sent[int(index)])
            if not given.plain() or not gave.plain() or given.own or given.nan or gave.nan:
                continue
            try:
                again = (PURE_BUILTINS.get(name) or PURE[name])(given.value)
            except Exception as error:
                if name in UNARY_OF_LIBRARIES:
                    raise Unreadable("%s gives %s in the process for what it does not take: %s" % (
                        name, shown(gave.value), type(error).__name__))
                continue
            if name in ("list", "tuple") and isinstance(given.value, (set, frozenset)):
                # A set has another order in every process.
                same = type(again) is type(gave.value) and collections.Counter(again) == collections.Counter(gave.value)
            else:
                same = again == gave.value
            if not same:
                raise Unreadable("%s gives %s in the process for what is %s" % (name, shown(gave.value), shown(again)))

    def on_truth(self, place, sent):
        content = Content(sent[0])
        if content.large:
            raise Undecided("the value is too large to be sent")
        own = set(content.value.own) if isinstance(content.value, Opaque) else content.own
        if own & {"__bool__", "__len__"}:
            raise Undecided("its own class decides whether it is true")
        truth = True if isinstance(content.value, Opaque) else bool(content.value)
        return held_if(truth is place["polarity"], "truth", "it is %s" % shown(truth))

    def on_any(self, place, sent):
        content = Content(sent[0])
        wanted = [self.expected.of(text) for text in place["operands"]]
        if not content.plain():
            raise Undecided("its own equality decides")
        if any(content.value == one for one in wanted):
            return Verdict(HELD, "value")
        if "__eq__" in content.own:
            raise Undecided("its own equality decides")
        return Verdict(FAILED, "value", "it is %s, none of what is expected" % shown(content.value))

    def on_predicate(self, place, sent):
        content = Content(sent[0])
        if not isinstance(content.value, (str, bytes)) or content.large:
            raise Undecided("its own class decides")
        try:
            arguments = [self.expected.of(text) for text in place["operands"]]
            right = bool(getattr(content.value, place["method"])(*arguments)) is place["polarity"]
        except (TypeError, AttributeError):
            return Verdict(FAILED, "membership", "it cannot be asked that")
        if not right and isinstance(sent[0], list) and sent[0][0] == "sub":
            raise Undecided("its own class decides")
        by = "membership" if place["polarity"] else "inequality"
        return held_if(right, by, "%s is %s" % (place["method"], shown(content.value)))

    def on_instance(self, place, sent):
        order = sent[TYPE]
        if order is None:
            raise Undecided("the object itself says what its class is")
        need(isinstance(order, list))
        if place["operands"][0] is not None:
            kinds = self.expected.of(place["operands"][0])
            kinds = kinds if isinstance(kinds, tuple) else (kinds,)
            if not all(isinstance(kind, type) for kind in kinds):
                raise Undecided("the expected type is not a class")
            found = any(name_of_class(kind) in order for kind in kinds)
            return held_if(found is place["polarity"], "type", "its class is %s" % shown(order[:1]))
        kinds = sent[1][1] if isinstance(sent[1], list) and sent[1][0] == "t" else [sent[1]]
        need(all(isinstance(kind, list) and len(kind) == 2 for kind in kinds))
        if any(kind[0] == "c" and kind[1] in order for kind in kinds) and place["polarity"]:
            return Verdict(HELD, "type")
        raise Undecided("the class itself may say what its instances are")

    def on_raises(self, place, sent):
        error = sent[0]
        if not (isinstance(error, list) and error[0] == "e" and isinstance(error[1], list)):
            return Verdict(FAILED, "exception", "nothing was raised")
        if place["type"] is not None:
            kinds = self.expected.of(place["type"])
            kinds = kinds if isinstance(kinds, tuple) else (kinds,)
            names = [name_of_class(kind) for kind in kinds if isinstance(kind, type)]
        else:
            kinds = sent[2][1] if isinstance(sent[2], list) and sent[2][0] == "t" else [sent[2]]
            need(all(isinstance(kind, list) and len(kind) == 2 and kind[0] == "c" for kind in kinds))
            names = [kind[1] for kind in kinds]
        if not any(name in error[1] for name in names):
            return Verdict(FAILED, "exception", "it is %s" % shown(error[1][:1]))
        if 1 in place["needs"]:
            text = Content(sent[1])
            need(isinstance(text.value, str))
            pattern = Content(sent[3]).value if 3 in place["needs"] else self.expected.of(place["match"])
            if not isinstance(pattern, (str, re.Pattern)):
                raise Undecided("the pattern is not one that can be sent")
            return held_if(re.search(pattern, text.value), "exception", "it says %s" % shown(text.value))
        return Verdict(HELD, "exception")

    def on_mock(self, place, sent):
        if sent[MOCK] is None:
            raise Undecided("it is not a mock of the standard library")
        need(isinstance(sent[MOCK], list) and len(sent[MOCK]) == 2)
        content = Content(sent[MOCK][0])
        if not isinstance(content.value, list):
            raise Undecided("it is not a mock of the standard library")
        calls = [call[-2:] for call in content.value if isinstance(call, tuple) and len(call) > 1]
        need(len(calls) == len(content.value))
        return Mocked(place, calls, content, self.expected).verdict()


class Mocked:
    """A mock's actual call, and the expected one."""

    def __init__(self, place, calls, content, expected):
        self.calls, self.content, self.method = calls, content, place["method"]
        self.arguments = [expected.of(text) for text in place["operands"]]
        self.keywords = {name: expected.of(text) for name, text in place["keywords"].items()}

    def same(self, call, arguments, keywords):
        if len(call[0]) != len(arguments) or set(call[1]) != set(keywords):
            # By a signature the same may be given by place or by name.
            if len(call[0]) + len(call[1]) == len(arguments) + len(keywords):
                raise Undecided("a signature may decide which arguments are the same")
            return False
        if not self.content.plain() and (arguments or keywords):
            raise Undecided("its own equality decides")
        return list(call[0]) == list(arguments) and call[1] == keywords

    def verdict(self):
        count, calls, method = len(self.calls), self.calls, self.method
        wanted = (self.arguments, self.keywords)
        if method == "assert_has_calls":
            raise Undecided("a list of calls is compared by the mock")
        if method in ("assert_called", "assert_called_once", "assert_not_called"):
            right = {"assert_called": count > 0, "assert_called_once": count == 1}.get(method, count == 0)
            return held_if(right, "truth", "it was called %d times" % count)
        if method == "assert_any_call":
            right = any(self.same(call, *wanted) for call in calls)
        elif method == "assert_called_with":
            right = count > 0 and self.same(calls[-1], *wanted)
        else:
            right = count == 1 and self.same(calls[0], *wanted)
        return held_if(right, "value", "it was called with %s" % shown(calls))


def can_be_sent(value):
    """Whether a value is well within the limits of what a place sends: the actual one was not, so it is another."""
    waiting, parts = [value], 0
    while waiting and parts <= 10000:
        value = waiting.pop()
        parts += 1
        if isinstance(value, dict):
            waiting.extend(value.keys())
            waiting.extend(value.values())
        elif isinstance(value, (list, tuple, set, frozenset)):
            waiting.extend(value)
        elif isinstance(value, (str, bytes)):
            parts += len(value) // 100
        elif not isinstance(value, (int, float, complex, type(None))):
            return False
    return parts <= 10000


class Pair:
    """One comparison of two values, of which at least one was sent."""

    def __init__(self, operator, values, contents, expected):
        self.operator, self.values, self.contents, self.expected = operator, values, contents, expected
        sent = [content for content in contents if content is not None]
        self.opaque = any(content.opaque for content in sent)
        self.large = any(content.large for content in sent)
        self.nan = any(content.nan for content in sent)
        self.own = set().union(*(content.own for content in sent))

    def verdict(self, polarity, result, alone):
        """`result` is the process's own result, if it compared."""
        result = result if alone else None
        try:
            return self._verdict(polarity, result)
        except Undecided as error:
            if result is not None and result is not polarity:
                return Verdict(FAILED, "both", "it does not hold in the process either")
            return Verdict(NOT_JUDGED, None, str(error))

    def _verdict(self, polarity, result):
        operator = self.operator
        if operator in ("is", "is not"):
            return self.identity(polarity, result)
        if self.large:
            fixed = self.values[self.expected.index(True)] if True in self.expected else None
            if operator == "==" and polarity and True in self.expected and can_be_sent(fixed):
                return Verdict(FAILED, "value", "it is larger than what is expected")
            raise Undecided("the value is too large to be sent")
        if self.opaque:
            return self.objects(polarity, result)
        try:
            # An operator may have settings after its name.
            compare = OUTSIDE.get(operator) or OUTSIDE[operator.rsplit(" ", 2)[0]]
            holds = bool(compare(*self.values, operator))
        except RecursionError:
            raise
        except Exception as error:
            if self.own:
                raise Undecided("its own class decides")
            return Verdict(FAILED, "value", "%s cannot be compared: %s" % (shown(self.values[0]), type(error).__name__))
        right = holds is polarity
        if not right and (self.own & SPECIAL[operator] if operator in SPECIAL else self.own):
            raise Undecided("its own equality decides")
        if not right and self.nan:
            raise Undecided("a value that is not a number equals only itself")
        by = self.by(operator, polarity)
        return held_if(right, by, "%s %s %s: it is %s" % (
            shown(self.values[0]), operator, shown(self.values[1]), "so" if holds else "not so"))

    def by(self, operator, polarity):
        if True not in self.expected:
            return "both"
        if operator in ("==", "sequence", "count", "matches") or operator.startswith("almost"):
            if not polarity:
                return "inequality"
            fixed = self.values[self.expected.index(True)]
            return "truth" if fixed is None or isinstance(fixed, bool) else "value"
        if operator == "in":
            return "membership" if polarity else "inequality"
        if operator in ("<", ">", "<=", ">="):
            return "order"
        return "inequality"

    def identity(self, polarity, result):
        if True in self.expected and result is None:
            sent = self.values[self.expected.index(False)] if False in self.expected else self.values[0]
            fixed = self.values[self.expected.index(True)]
            singleton = fixed is None or isinstance(fixed, (bool, type)) or fixed is Ellipsis or fixed is NotImplemented
            if not singleton:
                raise Undecided("which object it is, only the process knows")
            same = (self.operator == "is") is polarity
            return held_if((sent is fixed) is same, "truth", "it is %s" % shown(sent))
        if result is None:
            raise Undecided("which object it is, only the process knows")
        return held_if(result is polarity, "identity", "it is not the same object")

    def objects(self, polarity, result):
        """Objects of classes that are not known here."""
        one, other = self.values
        equality = self.operator in ("==", "!=")
        if equality and True in self.expected:
            value = self.values[self.expected.index(False)]
            fixed = self.values[self.expected.index(True)]
            if isinstance(value, Opaque) and "__eq__" not in value.own and type(fixed).__name__ not in ("Approx", "Anything"):
                # Nothing but identity makes it equal to anything.
                holds = self.operator == "!="
                return held_if(holds is polarity, "inequality", "it is an object of %s" % shown(value.reference))
        if not equality or result is None or True in self.expected:
            raise Undecided("its own class decides")
        if result is not polarity:
            return Verdict(FAILED, "state", "it does not hold in the process either")
        if (self.operator == "==") is polarity and alike(one, other):
            verdict = Verdict(HELD, "state")
            verdict.classes = set().union(*(content.classes for content in self.contents if content is not None))
            return verdict
        raise Undecided("its own equality decides")


def rounded(one, other, operator):
    _, how, amount = operator.replace("not almost", "almost").split(" ")
    if one == other:
        return True
    difference = abs(one - other)
    return difference <= float(amount) if how == "delta" else round(difference, int(amount)) == 0


def counted(one, other, operator):
    one, other = list(one), list(other)
    for value in one:
        if value not in other:
            return False
        other.remove(value)
    return not other


def searched(one, other, operator):
    return re.search(other, one) is not None


OUTSIDE = {text: (lambda a, b, operator, compare=compare: compare(a, b)) for text, compare in COMPARISONS.values()}
OUTSIDE.update({
    "almost": rounded, "count": counted, "matches": searched,
    "not almost": lambda a, b, operator: not rounded(a, b, operator),
    "does not match": lambda a, b, operator: not searched(a, b, operator),
    "sequence": lambda a, b, operator: list(a) == list(b),
})
# The special methods that an operator may ask.
SPECIAL = {"==": {"__eq__"}, "!=": {"__eq__", "__ne__"}, "in": {"__eq__", "__contains__", "__iter__"}}


