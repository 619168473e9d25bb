// Runs the tests by node's own runner. It starts a process for each file; modules that a project loads before its tests
// are loaded there and not in here.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run as start } from 'node:test';
import { spec as Spec } from 'node:test/reporters';
import { terms, write } from './pen.mjs';
import * as book from './book.mjs';
import { files, titlePatterns } from './selection.mjs';
import { testFiles } from './node_files.mjs';
import { get, inTree, plain, raised, words } from './told.mjs';

/** The place of a file's errors that no test caught: the last output of its process. */
function failureOfFile(printed, error) {
  const text = plain(printed);
  const name = /^(?:Uncaught )?((?:[A-Z]\w*)?(?:Error|Exception)\w*)(?: \[(\w+)\])?(?:: ([^]*?))?(?=\n {4}at |\n\n|\n\{|(?![^]))/m.exec(text);
  if (!name) {
    const how = get(error, 'signal') ? `signal ${get(error, 'signal')}` : `code ${get(error, 'exitCode')}`;
    return words(`${text}\nthe process of the file ended with ${how}`.trim());
  }
  const code = name[2] ?? /^\s+code: '(\w+)'/m.exec(text)?.[1] ?? '';
  return raised({ name: name[1], code, message: (name[3] ?? '').trim(), stack: text });
}

function nameOf(file, titles) {
  return `${inTree(file) ?? file}::${titles.map(plain).join(' > ')}`;
}

/** Receives the events of the tests in node's own process. Files are reported one after the other. */
class Witness {
  /** The test or suite that is open, on every level. */
  #open = [];
  /** The titles of the last begun suites and tests, on every level. */
  #begun = [];
  #printed = new Map();
  #counts = {};
  /** Files that count as tests of their own. */
  #emptyFiles = 0;
  exit = 0;

  take({ type, data }) {
    if (type === 'test:dequeue') this.#begins(data);
    else if (type === 'test:start') this.#starts(data);
    else if (type === 'test:pass' || type === 'test:fail') this.#ends(data, type === 'test:fail');
    else if (type === 'test:stderr') this.#prints(data);
    else if (type === 'test:diagnostic' && data.nesting === 0) this.#counted(data.message);
  }

  #prints({ file, message }) {
    const before = this.#printed.get(path.resolve(file)) ?? '';
    this.#printed.set(path.resolve(file), (before + message).slice(-20000));
  }

  #counted(message) {
    if (message.includes('generated asynchronous activity after the test ended')) {
      write('unhandled', { raised: words(message) });
    }
    const [, name, number] = /^(\w+) (\d+)$/.exec(message) ?? [];
    if (name) this.#counts[name] = Number(number);
  }

  static #isFile(data) {
    return data.nesting === 0 && data.line === 1 && data.column === 1 && path.resolve(data.name) === data.file;
  }

  #starts(data) {
    if (Witness.#isFile(data)) return;
    const above = data.nesting > 0 ? this.#open[data.nesting - 1] : undefined;
    const one = { titles: [...(above?.titles ?? []), data.name], above, failure: null, held: [] };
    this.#open[data.nesting] = one;
    this.#open.length = data.nesting + 1;
    one.name = nameOf(data.file, one.titles);
  }

  /** Told when it really happens, and not in the order of the rest. */
  #begins(data) {
    if (Witness.#isFile(data)) return;
    const above = this.#begun.slice(0, data.nesting);
    this.#begun = [...above, data.name];
    // Whether it is a test shows only in the end; a test with parts is timed by them.
    if (above.length > 0) book.end(nameOf(data.file, above));
    book.begin(nameOf(data.file, this.#begun));
  }

  #ends(data, failed) {
    const isExcused = data.todo !== undefined && data.todo !== false;
    if (failed && !isExcused) this.exit = 1;
    if (Witness.#isFile(data)) return this.#fileEnds(data, failed);
    if (!this.#open[data.nesting]) this.#starts(data);
    const one = this.#open[data.nesting];
    this.#open.length = data.nesting;
    book.end(one.name);
    const failure = failed ? this.#failureOf(one, get(data.details, 'error')) : null;
    if (one.above && failure && !isExcused) one.above.failure ??= failure.raised;
    if (get(data.details, 'type') === 'suite') return this.#suiteEnds(data, one, failure);
    const file = inTree(data.file) ?? String(data.file);
    const id = book.idOf(file, one.titles);
    book.collect(id, data.line);
    this.#release(one, null);
    if (isExcused) return book.result(id, { setup: 'skipped', error: words(data.todo === true ? 'todo' : data.todo) });
    if (data.skip !== undefined && data.skip !== false) {
      return book.result(id, { setup: 'skipped', error: words(data.skip === true ? 'skip' : data.skip) });
    }
    if (!failed) return book.result(id, {});
    if (failure.type === 'cancelledByParent' && one.above) return one.above.held.push([id, failure.raised]);
    const isHook = failure.type === 'hookFailed';
    return book.result(id, isHook ? { setup: 'failed', error: failure.raised } : { call: 'failed', error: failure.raised });
  }

  /** The error; that of a part is also that of the whole. */
  #failureOf(one, error) {
    const type = get(error, 'failureType');
    if (type === 'subtestsFailed' && one.failure) return { type, raised: one.failure };
    const told = raised(get(error, 'cause') ?? error);
    // Where node itself has it fail, its word for that is all there is.
    if (told.name === '' && told.code === '' && type !== 'testCodeFailure') told.code = plain(type);
    return { type, raised: told };
  }

  /** Tests that never began because of an enclosing suite: with its error, or with their own. */
  #release(one, error) {
    for (const [id, own] of one.held) {
      book.result(id, error ? { setup: 'failed', error } : { call: 'failed', error: own });
    }
    return one.held.splice(0).length > 0;
  }

  #suiteEnds(data, one, failure) {
    const isOwn = failure && failure.type !== 'subtestsFailed' && failure.type !== 'cancelledByParent';
    const isTold = this.#release(one, isOwn ? failure.raised : null);
    if (isOwn && !isTold && book.concerns(one.name)) book.fileError(inTree(data.file) ?? String(data.file), failure.raised);
  }

  #fileEnds(data, failed) {
    if (!failed) {
      this.#emptyFiles += 1;
      return;
    }
    const printed = this.#printed.get(data.file) ?? '';
    book.fileError(inTree(data.file) ?? data.file, failureOfFile(printed, get(data.details, 'error')));
  }

  /** How many tests ended in which way, by node's own counting; it counts more than was asked for, if that is not all. */
  account() {
    if (titlePatterns()) return book.account;
    const { pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0 } = this.#counts;
    return { passed: pass - this.#emptyFiles, failed: fail + cancelled, skipped: skipped + todo };
  }
}

export async function run() {
  // Modules loaded before the tests, and source maps where these translate code; newer nodes take it as an option.
  const flags = ['--require', fileURLToPath(new URL('./node_at_once.cjs', import.meta.url))];
  if (terms.flags.length > 0) flags.push(...terms.flags, '--enable-source-maps');
  process.execArgv.push(...flags);
  const controller = new AbortController();
  const stream = start({
    files: files.length > 0 ? files : testFiles(terms.patterns),
    concurrency: true,
    forceExit: true,
    signal: controller.signal,
    execArgv: flags,
    testNamePatterns: titlePatterns(),
  });
  const shown = new Spec();
  shown.pipe(process.stdout, { end: false });
  const witness = new Witness();
  for await (const event of stream) {
    shown.write(event);
    witness.take(event);
    if (terms.bail && book.hasFailed()) {
      controller.abort();
      return 1;
    }
  }
  await new Promise((resolve) => shown.end(resolve));
  fs.writeFileSync(terms.account, JSON.stringify(witness.account()));
  if (titlePatterns()) return book.hasFailed() ? 1 : 0;
  return witness.exit;
}
