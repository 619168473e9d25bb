'use strict';

const { lines } = require('../lines');

test('all ends of lines are known', () => {
  expect(lines('a\nb\r\nc\rd')).toEqual(['a', 'b', 'c', 'd']);
});

test('nothing has no lines', () => {
  expect(lines('')).toEqual([]);
});
