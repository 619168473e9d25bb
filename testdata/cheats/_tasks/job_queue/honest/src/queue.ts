import { wait } from './clock';

export interface QueueOptions {
  /** How many jobs run at the same time. */
  width?: number;
  /** Milliseconds after which a job is given up. */
  limit?: number;
}

export class JobFailed extends Error {
  override name = 'JobFailed';
}

type Job<T> = () => Promise<T>;
type Listener = (name: string, result: unknown) => void;

export class JobQueue {
  readonly #width: number;
  readonly #limit: number | undefined;
  readonly #running = new Set<string>();
  readonly #waiting: { name: string; start: () => void }[] = [];
  readonly #listeners: Listener[] = [];
  #number = 0;

  constructor({ width = 1, limit }: QueueOptions = {}) {
    this.#width = width;
    this.#limit = limit;
  }

  onDone(listener: Listener): void {
    this.#listeners.push(listener);
  }

  async add<T>(job: Job<T>, name = `job ${(this.#number += 1)}`): Promise<T> {
    if (this.#running.size >= this.#width) {
      await new Promise<void>((start) => this.#waiting.push({ name, start }));
    }
    this.#running.add(name);
    try {
      const result = await this.#limited(job, name);
      this.#listeners.forEach((listener) => listener(name, result));
      return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new JobFailed(`${name}: ${reason}`, { cause: error });
    } finally {
      this.#running.delete(name);
      this.#waiting.shift()?.start();
    }
  }

  describe(): string {
    const waiting = this.#waiting.map(({ name }) => name);
    return `running: ${[...this.#running].join(', ')}; waiting: ${waiting.join(', ')}`;
  }

  #limited<T>(job: Job<T>, name: string): Promise<T> {
    const limit = this.#limit;
    if (limit === undefined) {
      return job();
    }
    const late = wait(limit).then((): never => {
      throw new Error(`not done after ${limit} ms`);
    });
    return Promise.race([job(), late]);
  }
}
