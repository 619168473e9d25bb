// Which files node's runner is given: those that the project's own command names, or those that node would take.
import fs from 'node:fs';
import path from 'node:path';
import { terms } from './pen.mjs';

/** The endings of programs that this node runs natively. */
const ENDING = process.features.typescript ? '[cm]?[jt]s' : '[cm]?js';

/** Node's own test patterns where nothing is named. */
const USUAL = [
  new RegExp(`(?:^|/)[^/]+[.\\-_]test\\.${ENDING}$`),
  new RegExp(`(?:^|/)test(?:-[^/]+)?\\.${ENDING}$`),
  new RegExp(`(?:^|/)test/(?:.*/)?[^/]+\\.${ENDING}$`),
];

/** Every file of the tree but those of packages and of git, relative to it. */
function walk(directory = '') {
  const entries = fs.readdirSync(path.join(terms.tree, directory), { withFileTypes: true });
  const below = entries.filter((entry) => entry.name !== 'node_modules' && entry.name !== '.git');
  return below.flatMap((entry) => {
    const name = directory === '' ? entry.name : `${directory}/${entry.name}`;
    return entry.isDirectory() ? walk(name) : entry.isFile() ? [name] : [];
  });
}

/** A pattern of a shell's as a regular expression. */
function expression(pattern) {
  let text = '';
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    if (rest.startsWith('**/')) { text += '(?:.*/)?'; at += 2; }
    else if (rest.startsWith('**')) { text += '.*'; at += 1; }
    else if (rest[0] === '*') text += '[^/]*';
    else if (rest[0] === '?') text += '[^/]';
    else if (rest[0] === '{') { text += '(?:'; depth += 1; }
    else if (rest[0] === '}' && depth > 0) { text += ')'; depth -= 1; }
    else if (rest[0] === ',' && depth > 0) text += '|';
    else text += rest[0].replace(/[.+^$()|[\]\\{}]/, '\\$&');
  }
  return new RegExp(`^${text}$`);
}

/** The files that these patterns name, by their whole paths, in order. */
export function testFiles(patterns) {
  const all = walk();
  const found = new Set();
  const named = patterns.map((pattern) => path.posix.normalize(pattern).replace(/\/$/, ''));
  for (const pattern of named) {
    const fits = expression(pattern);
    for (const file of all) {
      // A directory means the tests in it.
      const inside = pattern === '.' || file.startsWith(`${pattern}/`);
      if (fits.test(file) || (inside && USUAL.some((usual) => usual.test(file)))) found.add(file);
    }
  }
  if (patterns.length === 0) for (const file of all) if (USUAL.some((usual) => usual.test(file))) found.add(file);
  return [...found].sort().map((file) => path.join(terms.tree, file));
}
