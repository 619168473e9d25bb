// Runs the tests by the project's own vitest, with settings that give the project no influence on the result. The tests
// and the code that they load run in other processes (`forks`).
import fs from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { terms, write } from './pen.mjs';
import * as book from './book.mjs';
import { files, fullNamePattern } from './selection.mjs';
import { inTree, raised, words } from './told.mjs';

const CONFIGURATION = ['vitest.config', 'vite.config'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `${name}.${ending}`));

/** Receives the events of the tests in vitest's own process. */
class Witness {
  #ids = new Map();
  #told = new Set();
  #watched = new Map();
  #vitest = null;
  /** Suites whose errors are told as those of tests. */
  #blamed = new Set();

  onInit(vitest) {
    this.#vitest = vitest;
    delete process.env.XDG_DATA_HOME;
  }

  onTestRunStart(specifications) {
    for (const { moduleId, pool } of specifications) {
      if (pool !== 'forks') book.refuse(inTree(moduleId) ?? moduleId, `vitest would run it in the pool ${pool}, not in a process of its own`);
    }
  }

  onTestModuleCollected(module) {
    this.#collect(module);
    if (terms.limit) this.#watch(module);
  }

  /** Gives every test of a file its id. */
  #collect(module) {
    const file = inTree(module.moduleId);
    if (file === null) return;
    const tests = [...module.children.allTests()].filter((test) => !this.#ids.has(test.id));
    // Tests of one name are numbered regardless of the order in which they run.
    for (const test of book.inOrder(tests, (test) => test.location)) this.#ids.set(test.id, book.idOf(file, titlesOf(test)));
    for (const test of tests) book.collect(this.#ids.get(test.id), test.location?.line);
  }

  onTestCaseReady(test) {
    const id = this.#ids.get(test.id);
    if (id !== undefined) book.begin(id);
    if (terms.limit) this.#watch(test.module);
  }

  /** Ends the run if a file reports nothing more: a test that never yields is only known to its own process. */
  #watch(module) {
    clearTimeout(this.#watched.get(module.id));
    const isOver = [...module.children.allTests()].every((test) => this.#told.has(this.#ids.get(test.id)));
    if (isOver) return;
    this.#watched.set(module.id, setTimeout(() => {
      const own = new Set([...module.children.allTests()].map((test) => test.id));
      const last = notes().findLast((id) => own.has(id));
      if (last !== undefined) book.stop(this.#ids.get(last));
    }, terms.limit.seconds * 1000 + 500));
  }

  onTestCaseResult(test) {
    const { state } = test.result();
    if (state === 'passed' || state === 'failed') this.#tell(test);
    if (terms.limit) this.#watch(test.module);
  }

  /** Only now is it known why tests were left out. */
  onTestRunEnd(modules, unhandled) {
    for (const timer of this.#watched.values()) clearTimeout(timer);
    for (const module of modules) {
      const file = inTree(module.moduleId) ?? module.moduleId;
      this.#collect(module);
      for (const test of module.children.allTests()) this.#tell(test);
      for (const suite of [module, ...module.children.allSuites()]) {
        const errors = suite.errors();
        if (errors.length > 0 && !this.#blamed.has(suite)) book.fileError(file, raised(errors[0]));
      }
    }
    book.foreign(loaded(this.#vitest));
    for (const error of unhandled) write('unhandled', { raised: raised(error, error?.type) });
  }

  #tell(test) {
    const id = this.#ids.get(test.id);
    const { state, errors, note } = test.result();
    // A test that began and never ended has no state.
    if (id === undefined || state === 'pending' || this.#told.has(id)) return;
    this.#told.add(id);
    const all = (errors ?? []).map((error) => raised(error));
    if (state === 'skipped') {
      const broken = test.options.mode === 'run' || test.options.mode === 'only' ? brokenAround(test) : null;
      if (broken) {
        this.#blamed.add(broken);
        book.result(id, { setup: 'failed', error: raised(broken.errors()[0]) });
      } else if (!(terms.bail && test.options.mode === 'run' && !note)) {
        book.result(id, { setup: 'skipped', error: words(note ?? test.options.mode) });
      }
      return;
    }
    const passed = state === 'passed';
    if (test.options.fails) {
      book.result(id, { call: passed ? 'xfailed' : 'xpassed', error: all[0] ?? words('expected to fail') });
      return;
    }
    const again = test.diagnostic()?.retryCount ?? 0;
    const earlier = all.slice(0, Math.min(again, all.length));
    while (earlier.length < again) earlier.push(words('failed, and was run again'));
    const error = passed ? null : all.at(-1) ?? words('it failed');
    book.result(id, { call: passed ? 'passed' : 'failed', error: again > 0 ? error : passed ? null : all[0] ?? error, earlier });
  }
}

/** Every file that vitest gave to the processes of the tests. */
function loaded(vitest) {
  const found = new Set();
  for (const project of vitest?.projects ?? []) {
    for (const environment of Object.values(project.vite?.environments ?? {})) {
      for (const module of environment.moduleGraph?.idToModuleMap?.values() ?? []) found.add(module.file);
    }
  }
  return [...found].filter((file) => typeof file === 'string');
}

/** The tests that began, as their own processes note them. */
function notes() {
  return fs.existsSync(terms.notes) ? fs.readFileSync(terms.notes, 'utf8').split('\n') : [];
}

function titlesOf(test) {
  const titles = [];
  for (let one = test; one && one.type !== 'module'; one = one.parent) titles.unshift(one.name);
  return titles;
}

/** The nearest suite around a test that failed on its own: in `beforeAll`, for instance. */
function brokenAround(test) {
  for (let one = test.parent; one; one = one.type === 'module' ? null : one.parent) {
    if (one.errors().length > 0) return one;
  }
  return null;
}

function options(order) {
  const testNamePattern = fullNamePattern();
  return {
    root: terms.tree,
    // Without a file of its own vitest would keep looking in the directories above the tree.
    config: CONFIGURATION.find((name) => fs.existsSync(path.join(terms.tree, name))) ?? false,
    configLoader: 'runner',
    run: true,
    watch: false,
    pool: 'forks',
    browser: { enabled: false },
    cache: false,
    allowOnly: false,
    passWithNoTests: false,
    dangerouslyIgnoreUnhandledErrors: false,
    retry: 0,
    bail: terms.bail ? 1 : 0,
    update: false,
    ui: false,
    open: false,
    coverage: { enabled: false },
    typecheck: { enabled: false },
    includeTaskLocation: true,
    // The reporter for people comes last: a reporter that throws silences all later ones.
    reporters: [new Witness(), ['json', { outputFile: terms.account }], 'default'],
    ...(testNamePattern === undefined ? {} : { testNamePattern }),
    ...(terms.reversed || terms.limit ? { runner: path.join(terms.plugin, 'vitest_order.mjs') } : {}),
    ...(terms.reversed ? { sequence: { sequencer: order } } : {}),
  };
}

export async function run() {
  // Colours would be assumed where `CI` is set.
  process.argv.push('--no-color');
  // Since version 5 it keeps a secret among the person's own files, which are out of reach. The tests do not see this.
  process.env.XDG_DATA_HOME = terms.cache;
  const { startVitest, BaseSequencer } = await import(terms.program);
  class Opposite extends BaseSequencer {
    async sort(specifications) {
      return (await super.sort(specifications)).reverse();
    }
  }
  // Browser-like environments are otherwise refused files outside the root: the one that reverses the order, and linked
  // packages.
  const server = { cacheDir: terms.cache, css: { postcss: { plugins: [] } }, server: { fs: { strict: false } } };
  const streams = { stdin: new PassThrough(), stdout: process.stdout, stderr: process.stderr };
  await startVitest('test', files, options(Opposite), server, streams);
  return process.exitCode ?? 0;
}
