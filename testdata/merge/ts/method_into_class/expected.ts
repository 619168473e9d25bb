export class Cart {
  private items: Item[] = [];

  add(item: Item): void {
    this.items.push(item);
  }

  /** How many. */
  get size(): number {
    return this.items.length;
  }

  static empty(): Cart {
    return new Cart();
  }
}
