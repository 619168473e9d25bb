import assert from 'node:assert/strict';
import { test } from 'node:test';

function addressOf(title) {
  return title.toLowerCase().replaceAll(' ', '-') + '!';
}

test('joins the words of a title', () => {
  assert.equal(addressOf('Hello World'), 'hello-world');
});
