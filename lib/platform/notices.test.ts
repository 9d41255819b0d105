import { describe, expect, it } from "vitest";
import type { Reason } from "@/lib/platform/issue";
import { type EncodedNotices, encodeNotices, withNotices } from "@/lib/platform/notices";
import { noticeInEnglish } from "@/lib/tools/test/notice-text";

describe("encoded notices", () => {
  it("are read as English text with their reasons", () => {
    const encoded = encodeNotices({ reason: "client_not_found", params: { id: "a" } });
    expect(noticeInEnglish(encoded)).toBe("Store a doesn’t exist.");
    expect(withNotices({ error: encoded as string }, "error")).toMatchObject({
      error: "Store a doesn’t exist.",
      notices: { error: [{ reason: "client_not_found", params: { id: "a" } }] },
    });
  });

  it.each(["The shop says: no.", "", "[]", '[{"reason": "of an earlier release"', '[{"reason":"cut short","par'])(
    "are returned unchanged if an earlier release stored a text: %s",
    (sentence) => {
      expect(noticeInEnglish(sentence)).toBe(sentence);
      expect(withNotices({ error: sentence }, "error").error).toBe(sentence);
    },
  );

  it.each([
    ["that no message has", { reason: "of_another_release" as Reason }],
    ["whose parameters are missing", { reason: "bad_status" as Reason }],
  ])("return the reason itself for one %s", (_, notice) => {
    const encoded: EncodedNotices = encodeNotices(notice);
    expect(noticeInEnglish(encoded)).toBe(notice.reason);
    expect(withNotices({ error: encoded as string }, "error").error).toBe(notice.reason);
  });
});
