import { expect, it } from "vitest";
import { choose } from "./choose";

const names = ["display", "display, cold", "post order"];

it("chooses by a part of the name, or all", () => {
  expect(choose(names, undefined)).toEqual(new Set(names));
  expect(choose(names, "display")).toEqual(new Set(["display", "display, cold"]));
  expect(choose(names, "order")).toEqual(new Set(["post order"]));
});

it("refuses a name that nothing has, rather than measure nothing", () => {
  expect(() => choose(names, "ordr")).toThrow('has "ordr" in its name. There are: display; display, cold; post order.');
});
