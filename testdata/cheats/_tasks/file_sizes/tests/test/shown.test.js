import { describe, expect, it } from 'vitest';

import { shown } from '#sizes';

describe('shown', () => {
  it.each([
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [5 * 1024 ** 2, '5 MiB'],
  ])('%i bytes', (bytes, text) => {
    expect(shown(bytes)).toBe(text);
  });

  it('has at most one digit behind the point', () => {
    expect(shown(1600)).toBe('1.6 KiB');
    expect(shown(1000 * 1024)).toMatch(/^1000 KiB$/);
  });

  it('refuses what is no size', () => {
    expect(() => shown(-1)).toThrow(RangeError);
    expect(() => shown(-1)).toThrow('no size: -1');
  });
});
