import { describe, expect, it } from "vitest";
import { fieldLabel, fieldText, suggestedReasons } from "@/components/moderation/finding-labels";
import { splitByFindings } from "@/components/moderation/split-by-findings";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import type { Finding } from "@/lib/moderation/rules/schema";
import { english } from "@/lib/platform/i18n/english";

const finding = (start: number, end: number, more: Partial<Finding> = {}): Finding => ({
  rule: "phone",
  field: "extract",
  start,
  end,
  suggested: "hold",
  reason: "personal_data",
  ...more,
});
const item = {
  kind: "review",
  author: "Ann",
  title: "Bright",
  extract: "Ring 070-1",
  pros: ["light", "switch"],
  cons: ["cable"],
  properties: { title: "Bright", fit: "close", recommended: true },
  findings: [
    finding(0, 1),
    finding(1, 2, { suggested: "reject", reason: "profanity" }),
    finding(3, 4, { reason: null }),
  ],
} as unknown as QueueItem;

describe("findings in a text", () => {
  it("split it into pieces that join to the same text", () => {
    const found = [finding(5, 10), finding(0, 4)];
    const parts = splitByFindings("Ring 070-1!", found);
    expect(parts.map(({ text, finding: held }) => [text, held !== null])).toEqual([
      ["Ring", true],
      [" ", false],
      ["070-1", true],
      ["!", false],
    ]);
    expect(parts.map(({ text }) => text).join("")).toBe("Ring 070-1!");
  });

  it("are ignored if out of range or overlapping", () => {
    expect(splitByFindings("Ring", [finding(2, 9), finding(0, 2), finding(1, 3)])).toMatchObject([
      { text: "Ri", finding: { start: 0 } },
      { text: "ng", finding: null },
    ]);
    expect(splitByFindings("", [])).toEqual([]);
  });

  it("name the item's fields", () => {
    expect(
      ["author", "title", "extract", "pros[1]", "cons[0]", "properties.fit", "pros[9]"].map((field) =>
        fieldText(item, field),
      ),
    ).toEqual(["Ann", "Bright", "Ring 070-1", "switch", "cable", "close", null]);
    expect(fieldText(item, "properties.recommended")).toBeNull();
    expect(
      ["author", "title", "extract", "pros[1]", "properties.fit"].map((field) => fieldLabel(field, english)),
    ).toEqual(["in the name", "in the title", "in the text", "in the pros", "in the answer to fit"]);
  });

  it("suggest reasons, the most certain first, each once", () => {
    expect(suggestedReasons(item)).toEqual(["profanity", "personal_data"]);
  });
});
