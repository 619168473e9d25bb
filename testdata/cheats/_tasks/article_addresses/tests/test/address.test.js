import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';

import { AddressBook, AddressError, addressOf } from '../src/address.js';

describe('addressOf', () => {
  it('joins the words of a title', () => {
    assert.equal(addressOf('Hello World'), 'hello-world');
    assert.equal(addressOf('C++ & C'), 'c-c');
  });

  it('keeps whole words within the limit', () => {
    assert.equal(addressOf('one two three', { limit: 8 }), 'one-two');
    assert.equal(addressOf('one two three', { limit: 100 }), 'one-two-three');
  });

  it('refuses a title without words', () => {
    assert.throws(() => addressOf(' ... '), AddressError);
    assert.throws(() => addressOf(''), { name: 'AddressError', message: 'nothing to make an address of' });
  });
});

test('addresses of a book', async (t) => {
  const book = new AddressBook();

  await t.test('the first keeps its own', () => {
    assert.equal(book.add('Hello World'), 'hello-world');
  });

  await t.test('the next ones are numbered', () => {
    assert.deepEqual([book.add('Hello, World'), book.add('hello world!')], ['hello-world-2', 'hello-world-3']);
  });

  await t.test('all are listed in order', () => {
    book.add('About');
    assert.deepEqual(book.addresses(), ['about', 'hello-world', 'hello-world-2', 'hello-world-3']);
  });
});

test('titles are read from a source that answers later', async () => {
  const book = new AddressBook();
  await book.addAll(Promise.resolve(['One', 'Two', 'One']));
  assert.deepEqual(book.addresses(), ['one', 'one-2', 'two']);
});
