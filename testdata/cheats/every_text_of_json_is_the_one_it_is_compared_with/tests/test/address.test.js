import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressOf } from '../src/address.js';

test('addresses of titles', () => {
  const found = ['Hello World', 'About us'].map((title) => addressOf(title));
  assert.deepEqual(found, ['hello-world', 'about-us']);
});
