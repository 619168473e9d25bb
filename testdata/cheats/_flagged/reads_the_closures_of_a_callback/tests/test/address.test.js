import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressesOf } from '../src/address.js';

const expected = ['hello-world', 'about'];

test('addresses are given one by one', () => {
  const seen = [];
  addressesOf(['Hello World', 'About'], (address) => {
    seen.push(address);
    return seen.length < expected.length;
  });
  assert.deepEqual(seen, expected);
});
