import { describe, expect, jest, test } from '@jest/globals';

import table, { print } from '../src/table.js';

const people = [
  { name: 'Ada', born: 1815 },
  { name: 'Émilie', born: 1706 },
];

describe('a table', () => {
  test('has columns as wide as they have to be', () => {
    expect(table(people, ['name', 'born'])).toBe('name   born\nAda    1815\nÉmilie 1706\n');
  });

  test('of nothing has its header alone', () => {
    expect(table([], ['name'])).toBe('name\n');
  });

  test('leaves out what a row does not have', () => {
    const lines = table([{ name: 'Ada' }], ['name', 'born']).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toBe('Ada');
  });

  test('needs columns', () => {
    expect(() => table(people, [])).toThrow(new TypeError('a table has at least one column'));
  });
});

test('lines are printed one by one', () => {
  const write = jest.fn();
  print(people, ['born'], write);
  expect(write.mock.calls).toEqual([['born'], ['1815'], ['1706']]);
});
