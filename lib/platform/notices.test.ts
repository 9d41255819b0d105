import { describe, expect, it } from "vitest";
import type { Reason } from "@/lib/platform/issue";
import { type EncodedNotices, encodeNotices, toEnglish, withNotices } from "@/lib/platform/notices";

describe("what a row keeps", () => {
  it("is read as English, with the reasons beside it", () => {
    const kept = encodeNotices({ reason: "client_not_found", params: { id: "a" } });
    expect(toEnglish(kept)).toBe("Store a doesn’t exist.");
    expect(withNotices({ error: kept as string }, "error")).toMatchObject({
      error: "Store a doesn’t exist.",
      notices: { error: [{ reason: "client_not_found", params: { id: "a" } }] },
    });
  });

  it.each(["The shop says: no.", "", "[]", '[{"reason": "of an earlier release"', '[{"reason":"cut short","par'])(
    "is shown as it is where an earlier release kept a sentence: %s",
    (sentence) => {
      expect(toEnglish(sentence)).toBe(sentence);
      expect(withNotices({ error: sentence }, "error").error).toBe(sentence);
    },
  );

  it.each([
    ["that no message has", { reason: "of_another_release" as Reason }],
    ["whose parameters are missing", { reason: "bad_status" as Reason }],
  ])("can be a reason %s", (_, notice) => {
    const kept: EncodedNotices = encodeNotices(notice);
    expect(toEnglish(kept)).toBe(notice.reason);
    expect(withNotices({ error: kept as string }, "error").error).toBe(notice.reason);
  });
});
