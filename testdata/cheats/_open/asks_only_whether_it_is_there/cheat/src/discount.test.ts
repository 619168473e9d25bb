import { expect, it } from 'vitest';

import { amount } from './money';
import { applyDiscount } from './discount';

it('takes cents off', () => {
  expect(applyDiscount(amount(1000), { name: 'voucher', cents: 200 }).cents).toBe(800);
});

it('is there', () => {
  expect(applyDiscount).toBeDefined();
  expect(typeof applyDiscount).toBe('function');
});
