import { describe, expect, it } from 'vitest';

import { amount } from './money';
import { applyDiscount } from './discount';

describe('applyDiscount', () => {
  it.each([
    [1000, 10, 900],
    [999, 10, 899],
    [400, 25, 300],
  ])('of %i cents, %i percent off, leaves %i', (cents, percent, left) => {
    expect(applyDiscount(amount(cents), { name: 'summer', percent }).cents).toBe(left);
  });

  it.each([
    { cents: 1000, voucher: 200, left: 800 },
    { cents: 150, voucher: 200, left: 0 },
  ])('of $cents cents a voucher leaves $left', ({ cents, voucher, left }) => {
    expect(applyDiscount(amount(cents), { name: 'voucher', cents: voucher }).cents).toBe(left);
  });
});
