import { expect, it } from "vitest";
import { reasonWords } from "@/components/moderation/reasons";
import { historyWords } from "@/components/moderation/words";
import type { HistoryEntry } from "@/lib/moderation/queue/schema";

const entry = (given: Partial<HistoryEntry>): HistoryEntry => ({
  at: "2026-05-20T07:12:45Z",
  actor: "mia",
  action: "decided",
  from: "pending",
  to: "pending",
  reason: null,
  ...given,
});

it.each<[Partial<HistoryEntry>, string]>([
  [{ to: "accepted" }, "Accepted by mia"],
  [{ to: "rejected", reason: "price" }, "Rejected (Only about the price) by mia"],
  [{ from: "accepted" }, "Back to pending by mia"],
  [{ action: "edited", actor: "the author" }, "Edited by the author"],
  [{ action: "reports_closed", actor: "ada" }, "Reports closed by ada"],
  [{ action: "held", actor: "the rule url" }, "Left to a person by the rule url"],
  [{ action: "verified", actor: "the author" }, "Address confirmed by the author"],
  [{ action: "verified", actor: "the author", from: "accepted", to: "accepted" }, "Address confirmed by the author"],
  [{ action: "imported", from: null, to: "accepted" }, "Imported: accepted"],
  [{ action: "imported", to: "rejected" }, "Changed by an import: rejected (No reason given)"],
])("tells %j as it was", (given, words) => expect(historyWords(entry(given))).toBe(words));

it("leaves a shop's own reasons as they are written", () => {
  expect(reasonWords("price")).toBe("Only about the price");
  for (const own of ["SKU_9_B", "too_rude"]) expect(reasonWords(own)).toBe(own);
});
