import { z } from "zod";
import { feedKinds, MAX_PARTS, PART_BYTES, uploadFormats, uploadKinds } from "@/lib/feeds/values";
import { clientId, filledText, notices, timestamp, webAddress } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import type { Notices } from "@/lib/platform/notices";

/** Settings of feeds, their runs and uploads, in the portal's own API. Browser-safe. */

/** How often a feed is fetched, and the hours between fetches. */
export const schedules = { hourly: 1, every_6_hours: 6, daily: 24, weekly: 168 } as const;
export type Schedule = keyof typeof schedules;

const format = z.enum(uploadFormats).nullable().describe("Format of the file; null to detect it automatically.");

/** Editable settings. A URL as displayed keeps its hidden part. */
export const FeedInput = z.object({
  url: webAddress.describe("URL of the feed; may contain a username and password."),
  format,
  schedule: z.enum(Object.keys(schedules) as [Schedule, ...Schedule[]]).describe("How often the feed is fetched."),
  enabled: z.boolean().describe("Whether the feed is fetched on its schedule."),
  mapping: z
    .record(filledText(255), filledText(255))
    .refine((mapping) => Object.keys(mapping).length <= 50, { error: encodeReason("too_many_fields", { max: 50 }) })
    .describe("Fields of a product feed, by its own names and ours."),
});
export type FeedInput = z.output<typeof FeedInput>;

export const NewFeed = FeedInput.extend({ kind: z.enum(feedKinds).describe("Content of the file.") });
export type NewFeed = z.output<typeof NewFeed>;

export const feedOutcomes = ["imported", "unchanged", "refused", "failed"] as const;

export const Feed = z
  .object({
    id: z.string(),
    kind: z.enum(feedKinds),
    url: z.string().describe("URL without username, password and query."),
    hidden: z.boolean().describe("Whether the URL has parts that are not shown."),
    address_lost: z
      .boolean()
      .describe("Whether the URL can't be decrypted because the installation's secret changed. Enter it again."),
    format,
    schedule: z.string(),
    enabled: z.boolean(),
    mapping: z.record(z.string(), z.string()),
    next_run_at: timestamp.nullable(),
    last_run_at: timestamp.nullable(),
    last_outcome: z.enum(feedOutcomes).nullable(),
    last_error: z.string().nullable(),
    last_read: z.int().nullable().describe("Number of rows in the last import."),
    last_rejected: z.int().nullable().describe("Number of rows rejected in the last import."),
    last_import: z.string().nullable().describe("Id of the last import, which has a report."),
    under_way: z.boolean().describe("Whether a run is in progress or requested."),
    notices,
  })
  .meta({ id: "Feed" });
export type Feed = z.infer<typeof Feed>;

export const FeedId = z.object({ id: z.string() });
export const FeedQuery = z.object({ client_id: clientId });

export const RunFeed = z.object({
  confirm_deletions: z
    .boolean()
    .default(false)
    .describe("Whether to continue if more than half of the products would be deleted."),
});

export const NewUpload = z.object({
  kind: z.enum(uploadKinds),
  filename: filledText(255).describe("Name of the file."),
});
export const Upload = z.object({ id: z.string() });

export const UploadPartParams = z.object({
  id: z.string(),
  part: z
    .string()
    .regex(/^(0|[1-9]\d{0,2})$/, { error: encodeReason("not_a_part_number") })
    .refine((part) => Number(part) < MAX_PARTS, { error: encodeReason("not_a_part_number") }),
});
export const UploadPart = z.object({
  file: z
    .file({ error: (issue) => (issue.input === undefined ? encodeReason("required") : encodeReason("not_a_file")) })
    .max(PART_BYTES, { error: encodeReason("file_too_large", { mib: 4 }) })
    .describe("Bytes of the part, at most 4 MiB."),
});
export const StartImport = z.object({
  parts: z.int().min(1).max(MAX_PARTS).describe("Number of parts."),
  confirm_deletions: z.boolean().default(false),
});

export const importStates = ["queued", "running", "following", "done", "refused", "failed"] as const;
export type ImportState = (typeof importStates)[number];

/** An import, as in lists. */
export type ImportLine = {
  id: string;
  feed_id: string | null;
  kind: "products" | "orders" | "reviews" | "externals";
  source: string;
  status: ImportState;
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  deleted: number;
  rejected: number;
  error: string | null;
  started_at: string;
  finished_at: string | null;
  notices?: Notices;
};

/** An import with its full saved report. */
export type ImportDetails = ImportLine & {
  report: {
    rejected: { row: number; reason: string }[];
    repairs: { kind: string; message: string; count: number; rows: number[] }[];
    warnings: { row: number; field: string; reason: string; value?: string }[];
    warningCount: number;
    /** Encoding of the file's text; missing in reports of earlier versions. */
    encoding?: string | null;
    incomplete: string | null;
    /** Machine-readable form of `incomplete`; missing in reports of earlier versions. */
    incomplete_reason?: string | null;
  } | null;
  /** How to run it again with the refused deletions: by its feed or its upload; null if that isn't possible. */
  confirm: { feed_id: string } | { upload_id: string; parts: number } | null;
};
