/**
 * Invoices and their line items.
 *
 * Every amount is a whole number of cents: sums of floating-point prices drift, and a customer
 * notices a missing cent.
 */

/** One position of an invoice. */
export class LineItem {
  constructor(
    readonly description: string,
    readonly quantity: number,
    readonly unitPriceCents: number,
  ) {
    if (quantity < 1) {
      throw new RangeError("quantity must be at least 1");
    }
    if (unitPriceCents < 0) {
      throw new RangeError("unit price must not be negative");
    }
  }

  /** Quantity times unit price. */
  get amountCents(): number {
    return this.quantity * this.unitPriceCents;
  }
}

/** What one customer owes. */
export class Invoice {
  private readonly items: LineItem[] = [];

  constructor(readonly customer: string) {}

  /** Appends a position. */
  add(item: LineItem): void {
    this.items.push(item);
  }

  /** How many units all positions have together. */
  unitCount(): number {
    return this.items.reduce((sum, item) => sum + item.quantity, 0);
  }

  /** The sum of all positions. */
  subtotalCents(): number {
    return this.items.reduce((sum, item) => sum + item.amountCents, 0);
  }

  /** A few lines for the foot of the printed invoice. */
  summary(): string {
    return [
      `Customer: ${this.customer}`,
      `Units:    ${this.unitCount()}`,
      `Subtotal: ${formatCents(this.subtotalCents())}`,
    ].join("\n");
  }
}

/** Writes an amount the way people read it: 123456 becomes 1,234.56. */
export function formatCents(cents: number): string {
  const sign = cents < 0 ? "-" : "";
  const whole = String(Math.floor(Math.abs(cents) / 100));
  const rest = String(Math.abs(cents) % 100).padStart(2, "0");
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${rest}`;
}
