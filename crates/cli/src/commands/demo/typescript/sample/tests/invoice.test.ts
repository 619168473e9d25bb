import { expect, test } from "vitest";
import { formatCents, Invoice, LineItem } from "../src/invoice";

function exampleInvoice(): Invoice {
  const invoice = new Invoice("Hopper Ltd");
  invoice.add(new LineItem("Ribbon cable", 4, 250));
  invoice.add(new LineItem("Connector", 2, 1999));
  return invoice;
}

test("an empty invoice owes nothing", () => {
  expect(new Invoice("Ada").subtotalCents()).toEqual(0);
});

test("the subtotal is the sum of all positions", () => {
  expect(exampleInvoice().subtotalCents()).toEqual(4998);
});

test("units are counted over all positions", () => {
  expect(exampleInvoice().unitCount()).toEqual(6);
});

test("a position needs at least one unit", () => {
  expect(() => new LineItem("Nothing", 0, 100)).toThrow("quantity");
});

test("amounts are written with thousands and two decimals", () => {
  expect(formatCents(123456)).toEqual("1,234.56");
  expect(formatCents(-5)).toEqual("-0.05");
});

test("the summary begins with customer, units and subtotal", () => {
  expect(exampleInvoice().summary().split("\n").slice(0, 3)).toEqual([
    "Customer: Hopper Ltd",
    "Units:    6",
    "Subtotal: 49.98",
  ]);
});
