import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressOf } from '../src/address.js';

const cases = [
  ['Hello World', 'hello-world'],
  ['C++ & C', 'c-c'],
  ['About', 'about'],
];

for (const [title, address] of cases) {
  test(`the address of ${title}`, () => {
    assert.equal(addressOf(title), address);
  });
}
