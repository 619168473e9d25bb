import assert from 'node:assert';
import { test } from 'node:test';

import { addressOf } from '../src/address.js';

test('an address has the words of its title', () => {
  assert.equal(addressOf('Hello World'), 'hello-world');
  assert.equal(addressOf('About'), 'about');
});
