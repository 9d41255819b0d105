import { describe, expect, it } from "vitest";
import { parseExpression } from "@/lib/platform/jobs/expression";

const scope = {
  event: { data: { n: 3, name: "it's", list: [], open: true, key: "a" } },
  async: { data: { key: "a" } },
};

describe("parseExpression", () => {
  it.each([
    ["event.data.n == 3", true],
    ["event.data.n != 3", false],
    ["event.data.n >= 3 && event.data.n < 4", true],
    ["event.data.n > 3 || event.data.open", true],
    ["!(event.data.n > 3)", true],
    ["!event.data.open", false],
    ["event.data.name == 'it\\'s'", true],
    ['event.data.name == "it\'s"', true],
    ["event.data.key == async.data.key", true],
    ["event.data.missing.deeper == null", true],
    ["event.data.name > 1", false],
    ["event.data.open == true && event.data.n == 3.0", true],
    ["event.data.toString == null", true],
  ])("%s is %s", (text, expected) => {
    expect(Boolean(parseExpression(text)(scope))).toBe(expected);
  });

  it.each([
    "",
    "event.data.n ==",
    "(event.data.n",
    "event.data.n 3",
    "size(event.data)",
    "other.name == 1",
    "a ~ b",
    "1 + 1",
  ])("refuses %j", (text) => {
    expect(() => parseExpression(text)).toThrow(/condition/);
  });
});
