import { expect, it } from "vitest";
import { growth } from "./lists";

it("tells how many times as long a page takes with many rows", () => {
  expect(growth({ few: 4, many: 10 })).toBe(2.5);
  expect(growth({ few: 10, many: 4 })).toBe(0.4);
});

it("takes what is over in a moment for alike", () => {
  expect(growth({ few: 0.1, many: 0.9 })).toBe(1);
  expect(growth({ few: 0.1, many: 30 })).toBe(30);
});
