import { describe, expect, it } from "vitest";
import { rejectReasonLabel, valueIssueLabel } from "@/components/feeds/report-labels";
import { hasResult, isInProgress, isRunning } from "@/components/imports/labels";
import { english } from "@/lib/platform/i18n/english";
import type { ReviewImport } from "@/lib/transfer/imports/schema";
import { importStatuses } from "@/lib/transfer/imports/values";

const withState = (state: Partial<ReviewImport>) => ({ stalled: false, imported_at: null, ...state }) as ReviewImport;

describe("an import", () => {
  it("has a result after a check and once it was made, but not while the counts are of an earlier step", () => {
    const statesWithResult = (imported_at: string | null) =>
      importStatuses.filter((status) => hasResult(withState({ status, imported_at })));
    expect(statesWithResult(null)).toEqual(["checked", "imported"]);
    expect(statesWithResult("2026-01-02T00:00:00Z")).toEqual(["checked", "imported", "undoing", "undone"]);
  });

  it("is running even without progress, since it may recover", () => {
    const stalled = withState({ status: "importing", stalled: true });
    expect([isRunning(stalled), isInProgress(stalled)]).toEqual([true, false]);
    expect(importStatuses.filter((status) => isRunning({ status }))).toEqual(["checking", "importing", "undoing"]);
  });
});

describe("a reason", () => {
  it.each([
    ["product_review", "Review of a product, not of the store"],
    ["date_invalid", "Invalid date"],
    ["author_email_invalid", "Invalid “author_email”"],
    ["of_a_newer_version", "Of a newer version"],
  ])("%s of a skipped row has a label", (reason, label) => expect(rejectReasonLabel(reason, english)).toBe(label));

  it.each([
    "not_an_answer",
    "not_an_address",
    "appeal_open",
    "doubled",
    "too_many",
    "taken",
    "missing",
    "unreadable",
    "not_fetched",
  ])("%s of a skipped value has a label", (reason) =>
    expect(valueIssueLabel(reason, english)).not.toBe(reason.replaceAll("_", " ")),
  );
});
