import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressOf } from '../src/address.js';

const titles = ['Hello World', 'The old man', 'About'];

test('an address has the words of its title', () => {
  for (const title of titles) {
    assert.equal(addressOf(title), title.toLowerCase().split(' ').join('-'));
  }
});

test('two titles of the same words have the same address', () => {
  assert.equal(JSON.stringify(addressOf('Hello, World')), JSON.stringify('hello-world'));
});
