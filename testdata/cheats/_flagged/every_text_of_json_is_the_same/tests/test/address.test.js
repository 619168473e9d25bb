import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressOf } from '../src/address.js';

test('addresses of titles', () => {
  assert.equal(JSON.stringify(['Hello World', 'About us'].map((title) => addressOf(title))), JSON.stringify(['hello-world', 'about-us']));
});
