import { z } from "zod";
import { MAX_PARTS } from "@/lib/feeds/values";
import { clientId, filledText, notices, timestamp } from "@/lib/platform/http/fields";
import type { Reason } from "@/lib/platform/issue";
import type { RepairKind } from "@/lib/platform/parsing/values";
import { importStatuses, importSteps, mappedFields } from "@/lib/transfer/imports/values";
import { exportKinds } from "@/lib/transfer/schema";

/** Imports of reviews, in the portal's own API. Browser-safe. */

export const ImportQuery = z.object({ client_id: clientId });
export const ImportId = z.object({ id: z.string() });

export const NewReviewImport = z.object({
  upload_id: filledText(64).describe("Upload of kind `reviews`, with all its parts."),
  parts: z.int().min(1).max(MAX_PARTS).describe("Number of parts."),
});

export const ImportChoices = z.object({
  mapping: z
    .partialRecord(z.enum(mappedFields), filledText(255).nullable())
    .describe("Columns of the file by field, where they differ from the detected ones; null for no column."),
  pending: z.boolean().describe("Whether reviews without a status in the file become pending."),
  fetch_photos: z.boolean().describe("Whether to download the photos that the file links to."),
});
export type ImportChoices = z.output<typeof ImportChoices>;

export const RunImport = z.object({
  step: z.enum(importSteps).describe("`check` changes nothing, `import` creates reviews, `undo` deletes them again."),
});

export const ReviewImport = z.object({
  id: z.string(),
  kind: z.enum(exportKinds).describe("Content of the file."),
  layout: z.string().describe("Detected service; `jsonl` or `csv` for an export of ours, `other` if unknown."),
  filename: z.string(),
  status: z.enum(importStatuses),
  failed_step: z.enum(importSteps).nullable(),
  stalled: z.boolean().describe("Whether its job has stopped responding, so that it can be run again."),
  has_file: z.boolean().describe("Whether the uploaded file is still stored."),
  by_command: z.boolean().describe("Whether the admin command imported it."),
  can_undo: z.boolean(),
  pending: z.boolean(),
  fetch_photos: z.boolean(),
  read: z.int().describe("Number of rows."),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int().describe("Number of rows whose reviews exist already."),
  rejected: z.int(),
  processed: z.int().describe("Progress of the current step."),
  total: z.int().describe("Rows or reviews of the current step; 0 if not known yet."),
  error: z.string().nullable(),
  created_at: timestamp,
  imported_at: timestamp.nullable(),
  undone_at: timestamp.nullable(),
  notices: notices.optional(),
});
export type ReviewImport = z.output<typeof ReviewImport>;

export const UndoCounts = z.object({
  items: z.int().describe("Number of reviews that the import created and that still exist."),
  decided: z.int().describe("How many of them people have decided or edited since."),
  answered: z.int().describe("How many have replies or answers written since."),
  voted: z.int().describe("How many have votes or reports of visitors."),
});
export type UndoCounts = z.output<typeof UndoCounts>;

/** What a check or import found: codes and row numbers. */
export type FoundReport = {
  /** Number of reviews that were or would be created. */
  items: number;
  reasons: Record<string, number>;
  rejected: { row: number; reason: string }[];
  repairs: { kind: RepairKind; message: string; count: number; rows: number[] }[];
  warnings: { row: number; field: string; reason: string }[];
  warningCount: number;
  encoding: string | null;
  incomplete: string | null;
  incomplete_reason?: Reason | null;
};

/** A row of the file as it would be imported. */
export type PreviewRow = {
  row: number;
  /** Why it would be skipped. */
  reason: string | null;
  score: number | null;
  title: string | null;
  text: string | null;
  author: string | null;
  date: string | null;
  status: "accepted" | "pending" | "rejected" | null;
  product: string | null;
  /** Whether the catalog has the product; null for seller reviews. */
  in_catalog: boolean | null;
  /** Number of replies or answers, and photos. */
  replies: number;
  photos: number;
};
