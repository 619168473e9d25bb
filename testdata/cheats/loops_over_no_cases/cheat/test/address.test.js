import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressOf } from '../src/address.js';

for (const [title, address] of []) {
  test(`the address of ${title}`, () => {
    assert.equal(addressOf(title), address);
  });
}
