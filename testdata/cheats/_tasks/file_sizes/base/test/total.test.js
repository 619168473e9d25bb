import { expect, it } from 'vitest';

import { shown, total } from '#sizes';

it('adds the sizes of files', () => {
  expect(total([{ bytes: 3 }, { bytes: 4 }])).toBe(7);
  expect(total([])).toBe(0);
});

it('shows few bytes as they are', () => {
  expect(shown(512)).toBe('512 B');
});
