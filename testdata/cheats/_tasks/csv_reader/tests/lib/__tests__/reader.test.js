'use strict';

const { CsvError, Reader, parse } = require('../reader');

describe('parse', () => {
  test.each([
    ['a,b', ['a', 'b']],
    ['a,,c', ['a', '', 'c']],
    ['"a,b",c', ['a,b', 'c']],
    ['"say ""hi""",x', ['say "hi"', 'x']],
  ])('the fields of %s', (line, fields) => {
    expect(parse(line)).toEqual(fields);
  });

  test('a quote that is not closed is an error', () => {
    expect(() => parse('"abc')).toThrow(CsvError);
    expect(() => parse('"abc')).toThrow(/not closed/);
  });
});

describe('Reader', () => {
  let reader;

  beforeEach(() => {
    reader = new Reader('name,age\nAda,36\nAlan,41\n');
  });

  test('rows have the names of the first line', () => {
    expect(reader.rows()).toEqual([
      { name: 'Ada', age: '36' },
      { name: 'Alan', age: '41' },
    ]);
  });

  test('a column by its name', () => {
    expect(reader.column('age')).toEqual(['36', '41']);
    expect(reader.column('height')).toBeUndefined();
  });

  test('every row is told', () => {
    const seen = jest.fn();
    expect(reader.forEach(seen)).toBe(2);
    expect(seen).toHaveBeenNthCalledWith(1, { name: 'Ada', age: '36' });
    expect(seen).toHaveBeenCalledTimes(2);
  });

  test('columns are converted later', async () => {
    const ages = await reader.converted('age', async (text) => Number(text));
    expect(ages).toStrictEqual([36, 41]);
    await expect(reader.converted('size', Number)).rejects.toThrow('no column size');
  });
});
