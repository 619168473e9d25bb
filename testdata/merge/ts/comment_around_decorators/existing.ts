class Shop {
  name = "shop";

  open(): boolean {
    return true;
  }
}
