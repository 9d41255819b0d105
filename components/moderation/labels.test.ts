import { expect, it } from "vitest";
import { historyText, itemTitle } from "@/components/moderation/labels";
import { reasonLabel } from "@/components/moderation/reject-reasons";
import type { HistoryEntry } from "@/lib/moderation/queue/schema";
import { english } from "@/lib/platform/i18n/english";

const author = { kind: "author", name: null, rule: null };
const entry = (given: Partial<HistoryEntry>): HistoryEntry => ({
  at: "2026-05-20T07:12:45Z",
  actor: { kind: "user", name: "mia", rule: null },
  action: "decided",
  from: "pending",
  to: "pending",
  reason: null,
  ...given,
});

it.each<[Partial<HistoryEntry>, string]>([
  [{ to: "accepted" }, "Approved by mia"],
  [{ to: "rejected", reason: "price" }, "Rejected by mia (Only about the price)"],
  [{ from: "accepted" }, "Moved to pending by mia"],
  [{ action: "edited", actor: author }, "Edited by the author"],
  [{ action: "reports_closed", actor: { kind: "user", name: "ada", rule: null } }, "Reports closed by ada"],
  [
    { action: "held", actor: { kind: "rule", name: null, rule: "url" } },
    "Held for review by the rule “Link or website”",
  ],
  [{ action: "verified", actor: author }, "Email verified by the author"],
  [{ action: "verified", actor: author, from: "accepted", to: "accepted" }, "Email verified by the author"],
  [{ action: "imported", from: null, to: "accepted" }, "Imported as published"],
  [{ action: "imported", to: "rejected" }, "Changed to rejected by an import (No reason given)"],
])("describes %j", (given, words) => expect(historyText(entry(given), english)).toBe(words));

it("keeps a store's own reasons as they are written", () => {
  expect(reasonLabel("price", english)).toBe("Only about the price");
  for (const own of ["SKU_9_B", "too_rude"]) expect(reasonLabel(own, english)).toBe(own);
});

it.each([
  [{ kind: "review", title: "Lovely" }, "Lovely"],
  [{ kind: "review", product: "Silent wall clock" }, "Silent wall clock"],
  [{ kind: "question", title: "?".repeat(61) }, `${"?".repeat(60)}…`],
  [{ kind: "seller_review", extract: "Quick delivery." }, "Quick delivery."],
  [{ kind: "seller_review", extract: "a".repeat(61) }, `${"a".repeat(60)}…`],
  [{ kind: "seller_review" }, "Seller review"],
] as const)("names %j", (item, name) => {
  expect(
    itemTitle({ title: null, extract: "", product: null, product_ids: [], family_ids: [], ...item }, english),
  ).toBe(name);
});
