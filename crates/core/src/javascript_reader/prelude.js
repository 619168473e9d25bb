// The support code of a twin, put before its first statement on one line: no comment after code, every statement ended.
// It takes the functions it uses before a test runs, and as little as it can: the code under test was loaded before it.
const NAME = ((salt, first, rare, words) => {
  const { getPrototypeOf, getOwnPropertyNames, getOwnPropertySymbols, getOwnPropertyDescriptor, defineProperty, create, prototype } = Object;
  const { apply } = Reflect;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const Text = String, Whole = typeof BigInt === "undefined" ? Number : BigInt, Day = Date, Expression = RegExp, Fault = Error, Many = Set, Table = Map;
  const { toString } = prototype;
  const { getTime } = Day.prototype;
  const slice = getPrototypeOf(Uint8Array.prototype).slice;
  const { add, forEach: eachOfMany } = Many.prototype;
  const { set, forEach: eachOfTable } = Table.prototype;
  const substring = Text.prototype.substring;
  const running = [];
  const place = (text) => salt % (text.length + 1);
  const put = (text, letter) => apply(substring, text, [0, place(text)]) + letter + apply(substring, text, [place(text)]);
  const plain = (value) => { const above = getPrototypeOf(value); return above === null || getPrototypeOf(above) === null; };
  const SAME = {};
  const other = (value, mode, depth) => {
    switch (typeof value) {
      case "number": {
        if (value !== value || value === Infinity || value === -Infinity) return salt % 97 + 0.5;
        const step = mode === 2 || salt % 2 ? salt % 9 + 1 : -(salt % 9) - 1;
        return value + step !== value ? value + step : value / 2;
      }
      case "string": return mode === 3 ? SAME : put(value, mode === 1 ? rare : first);
      case "boolean": return !value;
      case "undefined": return words;
      case "bigint": return value + Whole(salt % 9 + 1);
      case "object": return value === null ? words : depth > 40 ? SAME : inside(value, mode, depth);
      default: return SAME;
    }
  };
  const inside = (value, mode, depth) => {
    const tag = apply(toString, value, []);
    if (isArray(value)) return list(value, depth);
    if (tag === "[object Date]") { const time = apply(getTime, value, []); return new Day(time === time ? time + (salt % 900 + 1) * 86400000 : 0); }
    if (tag === "[object RegExp]") return new Expression("(?!)(?:" + value.source + ")", value.flags);
    if (tag === "[object Set]") { const copy = new Many(); apply(eachOfMany, value, [(one) => { apply(add, copy, [one]); }]); apply(add, copy, [words]); return copy; }
    if (tag === "[object Map]") { const copy = new Table(); apply(eachOfTable, value, [(one, key) => { apply(set, copy, [key, one]); }]); apply(set, copy, [words, words]); return copy; }
    if (isView(value) && tag !== "[object DataView]") { if (value.length === 0) return [words]; const copy = apply(slice, value, []); const was = copy[0]; copy[0] = typeof was === "bigint" ? was ^ Whole(1) : was === 0 ? 1 : 0; return copy; }
    if (tag === "[object Error]") { const copy = fields(value, depth); defineProperty(copy, "message", { value: put(value.message + "", rare), configurable: true, writable: true }); return copy; }
    return plain(value) ? fields(value, depth) : SAME;
  };
  const list = (value, depth) => {
    const copy = [];
    let changed = false;
    for (let at = 0; at < value.length; at++) {
      const one = at in value ? other(value[at], 0, depth + 1) : SAME;
      if (one !== SAME) changed = true;
      if (at in value) copy[at] = one === SAME ? value[at] : one;
    }
    copy.length = value.length;
    if (!changed) copy[copy.length] = words;
    return copy;
  };
  const fields = (value, depth) => {
    const copy = create(getPrototypeOf(value));
    let changed = false;
    const keys = [getOwnPropertyNames(value), getOwnPropertySymbols(value)];
    for (let kind = 0; kind < 2; kind++) {
      for (let at = 0; at < keys[kind].length; at++) {
        const key = keys[kind][at], said = getOwnPropertyDescriptor(value, key);
        if ("value" in said) {
          const one = other(said.value, 0, depth + 1);
          if (one !== SAME) { said.value = one; changed = true; }
        }
        defineProperty(copy, key, said);
      }
    }
    if (!changed) copy[words] = 1;
    return copy;
  };
  const bare = (error) => { try { if ("actual" in error) { error.actual = undefined; error.expected = undefined; } } catch (other) { return; } };
  const asserted = (error) => { try { return error.name === "AssertionError" || error.code === "ERR_ASSERTION" || "matcherResult" in error || "actual" in error; } catch (other) { return false; } };
  const fault = (words) => { const error = new Fault(words); error.name = "ProctorNotReached"; return error; };
  const tools = (come) => ({
    n: (asked, had) => (come() ? !had : had) ? asked.not : asked,
    b: (value) => come() ? !value : value,
    m: (name, opposite) => come() ? opposite : name,
    c: (one, opposite) => come() ? opposite : one,
    a: (all) => come(1) ? [all[0]] : all,
    o: (value, mode) => { const one = come(1) ? other(value, mode, 0) : SAME; if (one === SAME) return value; come(2); return one; },
  });
  const mark = (test, mode) => { if (mode === 1) return; test.came = true; if (mode !== 2) test.turned = true; };
  const shared = () => { for (let at = 1; at < running.length; at++) if (running[at].outer !== running[at - 1]) return null; return running.length ? running[running.length - 1] : null; };
  const begin = (alone, outer) => {
    const test = { live: true, came: false, turned: false, failed: false, waits: false, outer };
    if (!alone) running[running.length] = test;
    const close = () => {
      if (!test.live) return;
      test.live = false;
      let left = 0;
      for (let at = 0; at < running.length; at++) if (running[at] !== test) running[left++] = running[at];
      running.length = left;
      if (!test.came && !test.failed) throw fault("the test came to none of the assertions that were turned");
    };
    const own = tools((mode) => { if (test.live) mark(test, mode); return test.live; });
    own.test = test;
    own.f = (error) => { test.failed = true; bare(error); return test.turned && !asserted(error) ? fault("an assertion that was turned could not be carried out") : error; };
    own.e = () => { if (!test.waits) close(); };
    own.r = (value) => {
      if (value === null || typeof value !== "object" && typeof value !== "function" || typeof value.then !== "function") return value;
      test.waits = true;
      return value.then((given) => { test.waits = false; close(); return given; }, (error) => { const raised = own.f(error); test.waits = false; close(); throw raised; });
    };
    return own;
  };
  const all = tools((mode) => { const test = shared(); if (test !== null) mark(test, mode); return test !== null; });
  all.begin = begin;
  return all;
})(SALT, "FIRST", "RARE", "WORDS");
