export class Cart {
  private items: Item[] = [];

  add(item: Item): void {
    this.items.push(item);
  }
}
