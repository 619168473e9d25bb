import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressLength } from '../src/address.js';

test('an address is as long as its words need', () => {
  const length = addressLength('Hello World');
  assert.ok(length > 10);
  assert.ok(length < 12);
});
