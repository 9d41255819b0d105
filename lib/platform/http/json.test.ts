import { describe, expect, it } from "vitest";
import { jsonIssues, unstorableIssues } from "@/lib/platform/http/json";

const issuesOf = (text: string) => jsonIssues(text, JSON.parse(text));
/** The JSON escape of NUL. */
const NUL = "\\u0000";

describe("values that can't be stored", () => {
  it("are reported with their path", () => {
    expect(issuesOf(`{"a":[{"b":"x${NUL}"},{"b":"\\ud800"}],"c":1e400}`)).toEqual([
      { field: "a[0].b", reason: "nul_character" },
      { field: "a[1].b", reason: "unpaired_surrogate" },
      { field: "c", reason: "number_too_large" },
    ]);
    expect(issuesOf(`{"a":{"b${NUL}":1}}`)).toEqual([{ field: "a", reason: "nul_character" }]);
    expect(issuesOf(`"${NUL}"`)).toEqual([{ field: null, reason: "nul_character" }]);
    expect(issuesOf(`${"[".repeat(102)}${"]".repeat(102)}`)).toEqual([
      { field: "[0]".repeat(101), reason: "nested_too_deeply" },
    ]);
  });

  it("are checked only if the text may contain some", () => {
    expect(issuesOf('{"a":"\\u00e9 \\ud83d\\ude00","b":[1.5e10,null,true]}')).toEqual([]);
  });

  it("are limited in number and path length", () => {
    const issues = unstorableIssues({ ["k".repeat(400_000)]: Array(60_000).fill("\0") });
    expect(issues).toHaveLength(1_000);
    expect(issues.every(({ field }) => (field ?? "").length <= 501)).toBe(true);
    let nested: unknown = Array(5_000).fill("\0");
    for (let depth = 0; depth < 90; depth += 1) nested = { ["n".repeat(400)]: nested };
    expect(JSON.stringify(unstorableIssues(nested)).length).toBeLessThan(1_000_000);
  });
});
