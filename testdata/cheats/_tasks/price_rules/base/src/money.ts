export interface Amount {
  readonly cents: number;
  readonly currency: string;
}

export function amount(cents: number, currency = 'EUR'): Amount {
  return { cents, currency };
}

export function format({ cents, currency }: Amount): string {
  return `${(cents / 100).toFixed(2)} ${currency}`;
}
