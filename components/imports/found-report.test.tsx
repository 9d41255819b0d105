import { expect, it } from "vitest";
import { FoundReportView } from "@/components/imports/found-report";
import { renderInEnglish } from "@/lib/tools/test/render";
import type { FoundReport, ReviewImport } from "@/lib/transfer/imports/schema";
import { MAX_LISTED_ROWS } from "@/lib/transfer/imports/values";

const line = (rejected: number): ReviewImport => ({
  ...{ id: "imp_1", kind: "reviews", layout: "judgeme", filename: "reviews.csv", status: "checked" },
  ...{ failed_step: null, stalled: false, has_file: true, by_command: false, can_undo: false },
  ...{ pending: false, fetch_photos: false, read: rejected + 1, created: 1, updated: 0, unchanged: 0, rejected },
  ...{ processed: 0, total: 0, error: null, imported_at: null, undone_at: null },
  created_at: "2026-05-01T10:00:00Z",
});
const reportOf = (rejected: number): FoundReport => ({
  ...{ items: 1, reasons: { score_missing: rejected }, rejected: [{ row: 2, reason: "score_missing" }] },
  ...{ repairs: [], warnings: [], warningCount: 0, encoding: null, incomplete: null },
});
const shown = (rejected: number) =>
  renderInEnglish(<FoundReportView line={line(rejected)} report={reportOf(rejected)} skippedHref="/skipped" />);

it("says if the file of skipped rows doesn't list all of them", () => {
  expect(shown(MAX_LISTED_ROWS)).not.toContain("The file lists the first");
  expect(shown(MAX_LISTED_ROWS + 1)).toContain("The file lists the first 10,000 skipped rows.");
});
