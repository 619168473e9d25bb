// Errors as records tell them. They come from other processes and may be anything: nothing in here may throw.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { terms } from './pen.mjs';

const TREE = terms.tree;
const LONGEST = 20000;

/** Half a character cannot be written down. */
function whole(text) {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Anything as a text that is whole Unicode, without colours, and not endless. */
export function plain(value) {
  let text;
  try {
    text = typeof value === 'string' ? value : String(value);
  } catch {
    text = '<a value that cannot be shown>';
  }
  text = whole(stripVTControlCharacters(text));
  if (text.length <= LONGEST) return text;
  const half = LONGEST / 2;
  return whole(`${text.slice(0, half)}\n[... shortened ...]\n${text.slice(-half)}`);
}

/** A property's value, of any object; undefined if reading it throws. */
export function get(thing, name) {
  try {
    return thing === null || thing === undefined ? undefined : thing[name];
  } catch {
    return undefined;
  }
}

function textOf(thing, name) {
  const value = get(thing, name);
  return typeof value === 'string' || typeof value === 'number' ? plain(value) : '';
}

/** The path of a file relative to the tree, or null if it lies elsewhere or is an installed package's. */
export function inTree(file) {
  if (typeof file !== 'string' || file === '') return null;
  try {
    let name = file.startsWith('file:') ? fileURLToPath(file) : file;
    // `node:events`, `virtual:…`
    if (/^[\w-]+:/.test(name)) return null;
    name = path.resolve(TREE, name.replace(/[?#].*$/s, ''));
    const candidates = [name];
    if (fs.existsSync(name)) candidates.push(fs.realpathSync(name));
    for (const candidate of candidates) {
      const inside = path.relative(TREE, candidate);
      if (inside === '' || inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)) continue;
      if (inside.split(path.sep).includes('node_modules')) continue;
      return whole(inside.split(path.sep).join('/'));
    }
  } catch {
    // A path that cannot be inspected is not known to lie there.
  }
  return null;
}

/** A place in the tree, or null. */
function placeOf(file, line) {
  const inside = inTree(file);
  const number = Number(line);
  if (inside === null || !Number.isSafeInteger(number) || number < 1 || number > 0xffffffff) return null;
  return { path: inside, line: number };
}

/** The place that a parser complains of: `/a/b.js: Unexpected token (3:4)`, `At file: /src/b.js:3:4`. */
function parsedAt(message) {
  const babel = /^(\/[^\n]*?): [^\n]*\((\d+):\d+\)/.exec(message);
  if (babel) return placeOf(babel[1], babel[2]);
  const vite = /^At file: (\/[^\n]*?):(\d+):\d+$/m.exec(message);
  return vite && (placeOf(vite[1], vite[2]) ?? placeOf(path.join(TREE, vite[1]), vite[2]));
}

/** The innermost place in the tree that a stack names. */
function crashIn(error, message, stack) {
  const parsed = parsedAt(message);
  if (parsed) return parsed;
  const frames = get(error, 'stacks');
  if (Array.isArray(frames)) {
    for (const frame of frames) {
      const place = placeOf(get(frame, 'file'), get(frame, 'line'));
      if (place) return place;
    }
  }
  const refused = get(error, '__vitest_rollup_error__');
  if (refused) {
    const location = get(refused, 'loc');
    const place = placeOf(get(location, 'file') ?? get(refused, 'id'), get(location, 'line') ?? 1);
    if (place) return place;
  }
  for (const line of stack.split('\n')) {
    const frame = /^\s+at (?:.*?\()?((?:file:\/\/)?\/[^()]*?):(\d+)(?::\d+)?\)?$/.exec(line);
    const place = frame && placeOf(frame[1], frame[2]);
    if (place) return place;
  }
  // Node prints the place before the message.
  for (const text of [message, stack]) {
    for (const found of text.matchAll(/((?:file:\/\/)?\/[^\s:()'"]+?):(\d+)/g)) {
      const place = placeOf(found[1], found[2]);
      if (place) return place;
    }
  }
  return null;
}

// The runners' messages about a missing module, with its name and the importing file.
const MISSING = [
  /Cannot find (?:module|package) ['"]([^'"\n]+)['"] imported from ['"]?([^'"\n]+?)['"]?(?:\n|$)/,
  /Failed to load url (\S+) \(resolved id: [^\n)]*\) in ([^\n]+?)\. Does the file exist/,
  /Failed to resolve import ["']([^"'\n]+)["'] from ["']([^"'\n]+)["']/,
  /Cannot find module ['"]([^'"\n]+)['"] from ['"]([^'"\n]+)['"]/,
  /Cannot find module ['"]([^'"\n]+)['"] or its()/,
  /Cannot find module ['"]([^'"\n]+)['"]\n+Require stack:\n+- ([^\n]+)/,
  /Failed to load url (\S+)()/,
  /Cannot find (?:module|package) ['"]([^'"\n]+)['"]()/,
];

/** A file below the tree as the one that asks for it would write it: node tells its whole path, vite one from the root. */
function asWritten(specifier, asker) {
  const isWhole = path.isAbsolute(specifier) || specifier.startsWith('file:');
  const inside = isWhole ? inTree(specifier) ?? inTree(path.join(TREE, specifier)) : null;
  if (inside === null || asker === null) return specifier;
  const relative = path.posix.relative(path.posix.dirname(asker), inside);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

function missingIn(message, file = '') {
  for (const form of MISSING) {
    const found = form.exec(message);
    if (!found) continue;
    const [, specifier, importer] = found;
    const asker = inTree(importer || file);
    return { specifier: asWritten(specifier, asker), importer: asker ?? '' };
  }
  return null;
}

// The TypeScript compiler's messages about a file: its name from the root, the line, the error's number.
const TYPES = /^\s*(\S+\.[cm]?[jt]sx?):(\d+):\d+ - error (TS\d+)/;

/** The name of an error's class. Jest leaves that of its own assertions out, and vite that of a parser's. */
function nameOf(error, message, missing) {
  if (get(error, 'matcherResult')) return 'JestAssertionError';
  if (get(error, '__vitest_rollup_error__') && !missing) return 'SyntaxError';
  if (get(error, 'code') === 'BABEL_PARSE_ERROR' || message.startsWith('Parse failure: ')) return 'SyntaxError';
  if (TYPES.test(message)) return 'TSError';
  const name = textOf(error, 'name');
  const stack = textOf(error, 'stack');
  const first = /^(?:Uncaught )?([A-Z]\w*)(?: \[\w+\])?: /.exec(stack);
  if ((name === '' || name === 'Error') && first && !stack.startsWith(`Error: ${message}`)) return first[1];
  return name === '' && typeof error === 'object' && error !== null ? 'Error' : name;
}

/** An error as a record tells it. */
export function raised(error, text) {
  const isObject = typeof error === 'object' && error !== null;
  const message = isObject ? textOf(error, 'message') : plain(error);
  const stack = textOf(error, 'stack');
  const cause = get(error, 'cause');
  const types = TYPES.exec(message);
  const code = textOf(error, 'code') || textOf(cause, 'code') || (types?.[3] ?? '');
  const missing = missingIn(message, types?.[1]) ?? missingIn(textOf(cause, 'message'));
  const lines = [text, stack.includes(message) ? stack : `${message}\n${stack}`, textOf(error, 'diff')];
  const told = {
    name: nameOf(error, message, missing),
    code,
    message,
    stack,
    crash: (types && placeOf(types[1], types[2])) ?? crashIn(error, message, stack),
    missing,
    text: plain(lines.filter((line) => line).join('\n')),
  };
  return told;
}

/** A message without an error. */
export function words(text) {
  return { name: '', code: '', message: plain(text), stack: '', crash: null, missing: null, text: plain(text) };
}
