// The tests of a run: their ids, and the records written about them.
import fs from 'node:fs';
import path from 'node:path';
import { terms, write } from './pen.mjs';
import { plain, words } from './told.mjs';

const selected = new Set(terms.select.filter((one) => one.includes('::')));
const files = new Set(terms.select.filter((one) => !one.includes('::')));
const left = new Set(terms.limit?.without ?? []);
const timed = terms.limit ? new Set(terms.limit.only) : null;

const counts = new Map();
const collected = [];
const deselected = [];
const writtenAt = {};
const timers = new Map();
let failures = 0;

/** Whether a test of this id was asked for. */
function isWanted(id) {
  if (left.has(id)) return false;
  return terms.select.length === 0 || selected.has(id) || files.has(id.slice(0, id.indexOf('::')));
}

/** Whether something of a suite was asked for. */
export function concerns(name) {
  const isInside = (one) => one.startsWith(`${name} > `) || name.startsWith(`${one}::`);
  return terms.select.length === 0 || terms.select.some(isInside);
}

/** The id of the next test with these titles in a file. */
export function idOf(file, titles) {
  const name = `${file}::${titles.map(plain).join(' > ')}`;
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count === 1 ? name : `${name} #${count}`;
}

/** Tests in the order in which they are written, as far as that is known. */
export function inOrder(tests, placeOf) {
  const places = new Map(tests.map((test) => [test, placeOf(test)]));
  const line = (test) => places.get(test)?.line ?? 0;
  const column = (test) => places.get(test)?.column ?? 0;
  return [...tests].sort((one, other) => line(one) - line(other) || column(one) - column(other));
}

const known = new Set();

/** Adds a test to the list of collected ones; once. */
export function collect(id, line) {
  if (known.has(id)) return;
  known.add(id);
  (isWanted(id) ? collected : deselected).push(id);
  if (Number.isSafeInteger(line) && line > 0) writtenAt[id] = line;
}

/** A test begins. It has to end within the time limit. */
export function begin(id) {
  if (!isWanted(id)) return;
  write('begin', { id });
  if (timed && (timed.size === 0 || timed.has(id))) {
    timers.set(id, setTimeout(() => stop(id), terms.limit.seconds * 1000));
  }
}

/** Ends the run because a test does not, and says which one. */
export function stop(id) {
  if (timed.size > 0 && !timed.has(id)) return;
  fs.writeFileSync(terms.limit.file, `${id}\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** A test has ended, one way or another. */
export function end(id) {
  clearTimeout(timers.get(id));
  timers.delete(id);
}

function phase(id, name, outcome, error = null) {
  if (outcome === 'failed') failures += 1;
  write('phase', { id, phase: name, outcome, raised: error });
}

/** Writes how a test ended. `earlier` are the errors of times that it was run before. */
export function result(id, { setup = 'passed', call = 'passed', error = null, earlier = [] }) {
  end(id);
  if (!isWanted(id)) return;
  for (const one of earlier) {
    phase(id, 'setup', 'passed');
    phase(id, 'call', 'rerun', one);
  }
  phase(id, 'setup', setup, setup === 'passed' ? null : error);
  if (setup === 'passed') phase(id, 'call', call, error);
  phase(id, 'teardown', 'passed');
  account[setup === 'passed' && call === 'passed' ? 'passed' : setup === 'failed' || call === 'failed' ? 'failed' : 'skipped'] += 1;
}

/** How many tests that were asked for ended in which way. */
export const account = { passed: 0, failed: 0, skipped: 0 };

/** Whether something failed so far. */
export function hasFailed() {
  return failures > 0;
}

/** A file whose tests could not be collected, or that failed outside of them. */
export function fileError(file, error) {
  failures += 1;
  write('collection_error', { file, raised: error });
}

const foreignModules = {};

/** Takes note of files of the project that were loaded from the person's checkout and not from the tree. */
export function foreign(loaded) {
  if (!terms.checkout) return;
  for (const file of loaded) {
    const inside = path.relative(terms.checkout, file);
    const isInside = inside !== '' && !inside.startsWith('..') && !path.isAbsolute(inside);
    if (isInside && !inside.split(path.sep).includes('node_modules')) foreignModules[plain(inside)] = plain(file);
  }
}

/** Ends the run before anything of the project is run, because it would be run where records are written. */
export function refuse(file, why) {
  process.stderr.write(`${file}: ${why}\n`);
  fileError(file, words(why));
  finish(1);
  process.exit(1);
}

/** Writes the last records. */
export function finish(exit) {
  for (const timer of timers.values()) clearTimeout(timer);
  write('deselected', { ids: deselected });
  write('collected', { ids: collected, written_at: writtenAt });
  write('finish', { exit, import_roots: [''], foreign_modules: foreignModules });
}
