import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressOf } from '../src/address.js';

test('joins the words of a title', () => {
  assert.equal(addressOf('Hello World'), 'hello-world');
});

test('numbers what is taken', () => {
  assert.equal(numbered('about'), 'about-2');
});
