import { expect, it } from "vitest";
import { growthFactor } from "./lists";

it("returns the ratio of many rows to few", () => {
  expect(growthFactor({ few: 4, many: 10 })).toBe(2.5);
  expect(growthFactor({ few: 10, many: 4 })).toBe(0.4);
});

it("returns 1 if both are under a millisecond", () => {
  expect(growthFactor({ few: 0.1, many: 0.9 })).toBe(1);
  expect(growthFactor({ few: 0.1, many: 30 })).toBe(30);
});
