import { expect, test } from '@jest/globals';

import width from '../src/width.js';

test('letters with marks are one column wide', () => {
  expect(width('e\u0301te')).toBe(3);
  expect(width('😀')).toBe(1);
});
