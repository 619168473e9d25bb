export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
