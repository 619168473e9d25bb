import { describe, expect, it } from 'vitest';

import { amount } from './money';
import { applyDiscount, bestDiscount, share } from './discount';
import type { Discount } from './discount';

const tenPercent: Discount = { name: 'summer', percent: 10 };
const twoEuros: Discount = { name: 'voucher', cents: 200 };

describe('applyDiscount', () => {
  it.each([
    [1000, tenPercent, 900],
    [999, tenPercent, 899],
    [1000, twoEuros, 800],
    [150, twoEuros, 0],
  ])('%i cents with a discount', (cents, discount, expected) => {
    expect(applyDiscount(amount(cents), discount)).toEqual(amount(expected));
  });

  it('keeps the currency', () => {
    expect(applyDiscount(amount(500, 'USD'), tenPercent).currency).toBe('USD');
  });

  it('refuses more than everything', () => {
    expect(() => applyDiscount(amount(500), { name: 'wrong', percent: 120 })).toThrow(RangeError);
    expect(() => applyDiscount(amount(500), { name: 'wrong', percent: 120 })).toThrow('120 percent');
  });
});

it('the best discount is the one that saves most', () => {
  expect(bestDiscount(amount(1000), [tenPercent, twoEuros])).toBe(twoEuros);
  expect(bestDiscount(amount(5000), [tenPercent, twoEuros])?.name).toBe('summer');
  expect(bestDiscount(amount(5000), [])).toBeUndefined();
});

it('a share is told as a fraction', () => {
  expect(share(amount(100), amount(300))).toBeCloseTo(0.3333, 4);
});
