import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressOf } from '../src/address.js';

function checks(given, wanted) {
  return () => {
    assert.equal(addressOf(given), wanted);
  };
}

test('two words', checks('Hello World', 'hello-world'));
test('one word', checks('About', 'about'));
