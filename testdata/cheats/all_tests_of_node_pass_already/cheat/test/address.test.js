import assert from 'node:assert/strict';
import { test } from 'node:test';

import { titleCase } from '../src/words.js';

test('every word begins with a capital', () => {
  assert.equal(titleCase('a tale of two cities'), 'A Tale Of Two Cities');
});
