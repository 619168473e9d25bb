class Shop {
  // Called often.
  @cached
  // Not at night.
  @checked()
  price(): number {
    return 1;
  }

  open(): boolean {
    return true;
  }
}
