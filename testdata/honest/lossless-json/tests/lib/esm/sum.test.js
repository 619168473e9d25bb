import { describe, expect, test } from 'vitest';
import { LosslessNumber } from './LosslessNumber.js';
import { sum } from './sum.js';

describe('sum', () => {
  test('should add integers of any size', () => {
    expect(sum([new LosslessNumber('9007199254740993'), new LosslessNumber('1')]).value).toBe('9007199254740994');
    expect(sum([new LosslessNumber('-5'), new LosslessNumber('2')]).value).toBe('-3');
  });
  test('should be zero without numbers', () => {
    expect(sum([]).value).toBe('0');
  });
  test('should throw when a number is no integer', () => {
    expect(() => sum([new LosslessNumber('2.5')])).toThrow('Cannot add 2.5: not an integer');
  });
});
