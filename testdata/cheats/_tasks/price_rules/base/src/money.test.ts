import { expect, test } from 'vitest';

import { amount, format } from './money';

test('an amount is shown with two digits', () => {
  expect(format(amount(1250))).toBe('12.50 EUR');
  expect(format(amount(5, 'USD'))).toBe('0.05 USD');
});
