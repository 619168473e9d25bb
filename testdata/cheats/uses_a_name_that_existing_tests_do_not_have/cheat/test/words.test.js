import assert from 'node:assert/strict';
import { test } from 'node:test';

import { titleCase, words } from '../src/words.js';

test('punctuation is left out', () => {
  assert.deepEqual(words('Hello, World!'), ['hello', 'world']);
});

test('a text without letters has no words', () => {
  assert.deepEqual(words(' -- '), []);
});

test('every word begins with a capital', () => {
  assert.equal(titleCase('the old man'), 'The Old Man');
});

test('small words stay small', () => {
  assert.equal(titleCase('man of the sea'), 'Man of the Sea');
});

test('the first word is always large', () => {
  assert.equal(capitalised('of mice and men'), 'Of Mice and Men');
});
