// Receives the events of the tests in jest's own process.
import { terms } from './pen.mjs';
import * as book from './book.mjs';
import { get, inTree, plain, raised, words } from './told.mjs';

export default class Witness {
  /** Tests of files that are being run, as they were told one by one: begun ones, and those that ended. */
  #begun = new Map();
  #ended = new Map();

  onTestCaseStart(test, info) {
    const list = this.#list(this.#begun, test);
    list.push(info);
    book.begin(this.#provisional(list, test, info));
  }

  onTestCaseResult(test, result) {
    this.#list(this.#ended, test).push(result);
    // One that was run again has begun more than once.
    const begun = this.#list(this.#begun, test).filter((one) => one.fullName === result.fullName);
    begun.forEach((_, index) => book.end(this.#provisional(begun.slice(0, index + 1), test, result)));
  }

  /** The id that a test will have, unless others of its name are left out. */
  #provisional(list, test, info) {
    const same = list.filter((one) => one.fullName === info.fullName).length;
    const name = `${inTree(test.path) ?? test.path}::${titlesOf(info).map(plain).join(' > ')}`;
    return same > 1 ? `${name} #${same}` : name;
  }

  #list(map, test) {
    if (!map.has(test.path)) map.set(test.path, []);
    return map.get(test.path);
  }

  onTestFileResult(test, result) {
    const file = inTree(test.path) ?? test.path;
    const ended = this.#list(this.#ended, test);
    // A process that has died leaves its earlier events.
    const results = result.testResults.length > 0 ? result.testResults : ended;
    // Tests of one name are numbered regardless of the order in which they run.
    const before = terms.reversed ? [...results].reverse() : results;
    const ordered = book.inOrder(before, (one) => one.location ?? { line: lineOf(file, one) });
    const ids = new Map(ordered.map((one) => [one, book.idOf(file, titlesOf(one))]));
    for (const one of results) book.collect(ids.get(one), lineOf(file, one));
    for (const one of this.#list(this.#begun, test).slice(results.length)) {
      if (result.testResults.length === 0) book.collect(book.idOf(file, titlesOf(one)));
    }
    for (const one of results) tell(ids.get(one), one);
    if (result.testExecError) book.fileError(file, failureOf(result));
  }

  onRunComplete(_contexts, results) {
    if (results.runExecError) book.fileError('.', raised(results.runExecError));
  }

  getLastError() {}
}

function titlesOf(test) {
  return [...test.ancestorTitles, test.title];
}

/** An error of which only the message came through, with the other facts about it. */
function errorOf(text, detail) {
  const head = text.split(/\n\s+at /, 1)[0];
  const name = /^([A-Z]\w*)(?: \[\w+\])?: /.exec(head);
  const isNodes = /^assert(?:\.\w+)*\(/.test(head);
  return {
    name: isNodes ? 'AssertionError' : name?.[1],
    code: isNodes ? 'ERR_ASSERTION' : get(detail, 'code'),
    message: name ? head.slice(name[0].length) : head,
    stack: text,
    matcherResult: get(detail, 'matcherResult'),
  };
}

/** Why a file failed as a whole. */
function failureOf(result) {
  const error = result.testExecError;
  if (get(error, 'message')) return raised(error, result.failureMessage ?? '');
  return raised(errorOf(String(get(error, 'stack') ?? result.failureMessage ?? '')), result.failureMessage ?? '');
}

function tell(id, test) {
  const errors = (test.failureMessages ?? []).map((text, index) => raised(errorOf(text, test.failureDetails?.[index])));
  const again = (test.retryReasons ?? []).map((text) => raised(errorOf(text)));
  while (again.length < (test.invocations ?? 1) - 1) again.push(words('failed, and was run again'));
  const { status } = test;
  if (status !== 'passed' && status !== 'failed') {
    if (terms.bail && book.hasFailed() && status !== 'todo') return;
    book.result(id, { setup: 'skipped', error: words(status === 'todo' ? 'todo' : 'skip') });
  } else if (test.failing) {
    const error = errors[0] ?? words('expected to fail');
    book.result(id, { call: status === 'passed' ? 'xfailed' : 'xpassed', error });
  } else if (status === 'passed') {
    book.result(id, { earlier: again });
  } else {
    book.result(id, { call: 'failed', error: errors[0] ?? words('it failed'), earlier: again });
  }
}

/** The line of a test. Jest does not know it where time was up, but names it there. */
function lineOf(file, test) {
  if (test.location) return test.location.line;
  const place = raised(errorOf(test.failureMessages?.[0] ?? '')).crash;
  return place?.path === file ? place.line : undefined;
}
