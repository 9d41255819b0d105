import { describe, expect, it } from "vitest";
import { outlookWords } from "@/components/orders/words";
import { heldReasons } from "@/lib/invitations/rules";

describe("outlookWords", () => {
  it("says when an item will be asked for", () => {
    expect(outlookWords({ reason: null, day: "2026-03-08" }, "2026-03-08")).toMatch(/today/);
    expect(outlookWords({ reason: null, day: "2026-03-09" }, "2026-03-08")).toMatch(/9 March 2026/);
  });

  it.each(heldReasons)("has a whole sentence for %s", (reason) => {
    const ends = ["too_early", "quarantine", "waiting_for_items", "already_reviewed", "send_limit"].includes(reason);
    const sentence = outlookWords({ reason, until: ends ? "2026-04-01" : null }, "2026-03-08");
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(sentence).not.toMatch(/null|undefined/);
    expect(sentence.includes("1 April 2026")).toBe(ends);
  });

  it("does not promise a day when the limit is 0", () => {
    expect(outlookWords({ reason: "send_limit", until: null }, "2026-03-08")).not.toMatch(/null/);
  });
});
