import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { JobFailed, JobQueue } from '../src/queue';

function jobs(names: string[], log: string[]): (() => Promise<string>)[] {
  return names.map((name) => async () => {
    log.push(`start ${name}`);
    await Promise.resolve();
    log.push(`end ${name}`);
    return name.toUpperCase();
  });
}

describe('JobQueue', () => {
  let log: string[];

  beforeEach(() => {
    log = [];
  });

  it('runs one job after the other', async () => {
    const queue = new JobQueue();
    const results = await Promise.all(jobs(['a', 'b'], log).map((job) => queue.add(job)));
    expect(results).toEqual(['A', 'B']);
    expect(log).toEqual(['start a', 'end a', 'start b', 'end b']);
  });

  it.each([
    { width: 1, together: 1 },
    { width: 2, together: 2 },
    { width: 5, together: 3 },
  ])('runs at most $width jobs together', async ({ width, together }) => {
    const queue = new JobQueue({ width });
    let running = 0;
    let most = 0;
    const job = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    };
    await Promise.all([queue.add(job), queue.add(job), queue.add(job)]);
    expect(most).toBe(together);
  });

  it('tells which job failed', async () => {
    const queue = new JobQueue();
    const failed = queue.add(() => Promise.reject(new Error('no route')), 'fetch');
    await expect(failed).rejects.toThrow(JobFailed);
    await expect(failed).rejects.toThrow('fetch: no route');
    expect(await queue.add(async () => 7)).toBe(7);
  });

  it('tells its listeners what it does', async () => {
    const listener = vi.fn();
    const queue = new JobQueue();
    queue.onDone(listener);
    await queue.add(async () => 1, 'first');
    await queue.add(async () => 2, 'second');
    expect(listener).toHaveBeenCalledTimes(2);
    expect(listener).toHaveBeenLastCalledWith('second', 2);
  });

  it('describes what is left', () => {
    const queue = new JobQueue({ width: 1 });
    void queue.add(() => new Promise(() => {}), 'endless');
    void queue.add(async () => 1, 'short');
    expect(queue.describe()).toMatchInlineSnapshot(`"running: endless; waiting: short"`);
  });
});

describe('a queue with a limit of time', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('gives a job up', async () => {
    const queue = new JobQueue({ limit: 500 });
    const failed = expect(queue.add(() => new Promise(() => {}), 'slow')).rejects.toThrow('slow: not done after 500 ms');
    await vi.advanceTimersByTimeAsync(500);
    await failed;
  });
});
