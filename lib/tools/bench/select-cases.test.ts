import { expect, it } from "vitest";
import { selectCases } from "./select-cases";

const names = ["display", "display, cold", "post order"];

it("selects cases by part of the name, or all", () => {
  expect(selectCases(names, undefined)).toEqual(new Set(names));
  expect(selectCases(names, "display")).toEqual(new Set(["display", "display, cold"]));
  expect(selectCases(names, "order")).toEqual(new Set(["post order"]));
});

it("throws if no case matches", () => {
  expect(() => selectCases(names, "ordr")).toThrow(
    'No benchmark name contains "ordr". Benchmarks: display; display, cold; post order.',
  );
});
