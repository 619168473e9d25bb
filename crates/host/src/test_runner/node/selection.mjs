// The requested part of the suite, in the runners' terms.
import path from 'node:path';
import { terms } from './pen.mjs';

const isId = (one) => one.includes('::');

/** The titles of an id, outermost first. */
function titlesIn(id) {
  return id.slice(id.indexOf('::') + 2).replace(/ #\d+$/, '').split(' > ');
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** The files, by their whole paths; none for the whole suite. */
export const files = [...new Set(terms.select.map((one) => path.join(terms.tree, one.split('::')[0])))];

const without = terms.limit?.without ?? [];
const ids = terms.select.length > 0 && terms.select.every(isId) ? terms.select.filter((id) => !without.includes(id)) : null;

/** A pattern for the names of tests, all of their titles in a row; none if all are meant. vitest has a sign between them since 5. */
export function fullNamePattern() {
  const alternatives = (list) => list.map((id) => titlesIn(id).map(escaped).join(' (?:> )?')).join('|');
  if (ids) return `^\\s*(?:${alternatives(ids)})\\s*$`;
  return without.length > 0 ? `^(?!\\s*(?:${alternatives(without)})\\s*$)` : undefined;
}

/** Patterns for single titles, of tests and of the suites around them: they may match more than was asked for. */
export function titlePatterns() {
  if (!ids) return undefined;
  return [...new Set(ids.flatMap(titlesIn))].map((title) => `/^${escaped(title)}$/`);
}
