import { describe, expect, it } from "vitest";
import { age } from "@/components/ui/time";
import { english } from "@/lib/platform/i18n/english";
import { formatDay, formatList, formatMoment } from "@/lib/platform/i18n/format";
import { portalText } from "@/lib/platform/i18n/messages";

describe("age", () => {
  const now = new Date("2026-03-08T12:00:00Z");
  it.each([
    ["2026-03-08T11:59:30Z", "just now"],
    ["2026-03-08T12:00:30Z", "just now"],
    ["2026-03-08T11:48:00Z", "12\u00a0min"],
    ["2026-03-08T09:00:00Z", "3\u00a0hr"],
    ["2026-03-06T08:00:00Z", "2\u00a0days, 4\u00a0hr"],
    ["2026-03-06T12:00:00Z", "2\u00a0days"],
    ["2026-02-20T01:00:00Z", "16\u00a0days"],
  ])("returns how long ago %s is", (from, words) => expect(age(from, now, english)).toBe(words));

  it("declines days within a German sentence", () => {
    const german = portalText("de");
    const from = "2026-03-06T08:00:00Z";
    expect([age(from, now, german), age(from, now, german, { within: true })]).toEqual([
      "2\u00a0Tage 4\u00a0h",
      "2\u00a0Tagen 4\u00a0h",
    ]);
  });
});

describe("days and times", () => {
  it("writes a day without shifting it by a time zone", () => expect(formatDay("2026-03-08", "en")).toBe("8 Mar 2026"));
  it("writes a time in the client's time zone", () => {
    expect(formatMoment("2026-03-08T23:30:00Z", "Europe/Stockholm", "en")).toBe("9 Mar 2026, 00:30");
  });
});

it("lists items without a comma before “and”", () => {
  expect(formatList(["reviews", "photos", "questions"], "en")).toBe("reviews, photos and questions");
  expect(formatList(["reviews", "photos"], "de")).toBe("reviews und photos");
});
