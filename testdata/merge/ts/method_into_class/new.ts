export class Cart {
  /** How many. */
  get size(): number {
    return this.items.length;
  }

  static empty(): Cart {
    return new Cart();
  }
}
