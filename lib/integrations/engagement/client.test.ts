import { expect, it } from "vitest";
import { part } from "./client";

it("makes a part of an address of whatever an id holds", () => {
  expect(part("i/1 ü")).toBe("i%2F1%20%C3%BC");
  expect(part("i\ud83d1")).toBe("i%EF%BF%BD1");
});
