import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { systemClock, wait } from '../src/clock';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

it('the clock goes on while somebody waits', async () => {
  const done = wait(250);
  await vi.advanceTimersByTimeAsync(250);
  await done;
  expect(systemClock()).toBe(1_250);
});
