import { LosslessNumber } from './LosslessNumber.js';

/**
 * Add lossless integers without losing digits
 */
export function sum(numbers) {
  let total = 0n;
  for (const { value } of numbers) {
    if (!/^-?\d+$/.test(value)) {
      throw new Error(`Cannot add ${value}: not an integer`);
    }
    total += BigInt(value);
  }
  return new LosslessNumber(total.toString());
}
