import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { getClient } from "@/lib/accounts/stores/get-client";
import { AppError } from "@/lib/platform/errors";
import { csvRow } from "@/lib/platform/parsing/csv-cells";
import { readFile } from "@/lib/platform/storage/files";
import { fileName, folderOf } from "@/lib/reviews/uploads/image-objects";
import { imageEndings, type StoredImage } from "@/lib/reviews/uploads/schema";
import { imagesFolderOf } from "@/lib/transfer/images-folder";
import { type ExportKind, exportFields } from "@/lib/transfer/schema";
import { type ExportedRow, selectAll } from "./export-sql";

export type ExportFormat = "jsonl" | "csv";

export type ExportOptions = {
  kind?: ExportKind;
  format?: ExportFormat;
  /** Called for each image before the chunk that names it. */
  onImage?: (image: StoredImage) => Promise<void>;
  onProgress?: (progress: { written: number }) => void;
};

/**
 * Streams all reviews of a client (or seller reviews, or questions) as JSON lines, or as CSV with the same field names.
 * Rows are sorted by id, so the same reviews always give the same text, also after `importReviews` into an empty
 * client.
 *
 * Includes what reviews contain and how they were decided. Excludes what only has meaning in this installation: times
 * of creation and change, collection method, IP addresses, secrets of links, single votes and reports, history. Throws
 * `not_found` for an unknown client.
 */
export async function* exportReviews(
  clientId: string,
  { kind = "reviews", format = "jsonl", onImage, onProgress }: ExportOptions = {},
): AsyncGenerator<string> {
  if (!(await getClient(clientId)))
    throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  if (format === "csv") yield headerText(kind);
  let written = 0;
  for await (const rows of selectAll(kind, clientId)) {
    let text = "";
    for (const row of rows) {
      for (const image of row.images) await onImage?.(image);
      text += rowText(kind, format, row);
    }
    written += rows.length;
    yield text;
    onProgress?.({ written });
  }
}

/** The first line of a CSV file. */
export const headerText = (kind: ExportKind): string => csvRow(exportFields[kind]);

/** A row as a line of a file. */
export function rowText(kind: ExportKind, format: ExportFormat, row: ExportedRow): string {
  const fields = exportFields[kind];
  const values = fields.map((field) => asWritten(field, row[field]));
  if (format === "csv") return csvRow(values);
  return `${JSON.stringify(Object.fromEntries(fields.map((field, place) => [field, values[place]])))}\n`;
}

function asWritten(field: string, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (field !== "images") return value;
  return (value as StoredImage[]).map(({ token, format, width, height }) => ({ token, format, width, height }));
}

/** Number of rows and images written, and the images whose files are missing. */
export type ExportReport = { file: string; rows: number; images: number; missing: string[] };

/**
 * Writes the export to a file that only its owner can read, and images into a folder beside it (`images-folder.ts`).
 * The file gets its name when it is complete. Existing images aren't written again.
 */
export async function exportReviewsTo(
  clientId: string,
  file: string,
  options: Pick<ExportOptions, "kind" | "format" | "onProgress"> = {},
): Promise<ExportReport> {
  const report: ExportReport = { file, rows: 0, images: 0, missing: [] };
  const folder = imagesFolderOf(file);
  const part = `${file}.part`;
  const text = exportReviews(clientId, {
    ...options,
    onImage: async (image) => {
      const saved = await saveImage(folder, image);
      if (saved) report.images += 1;
      else report.missing.push(image.token);
    },
    onProgress: (progress) => {
      report.rows = progress.written;
      options.onProgress?.(progress);
    },
  });
  try {
    await pipeline(Readable.from(text), createWriteStream(part, { mode: 0o600 }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return report;
}

async function saveImage(folder: string, { key, token, format }: StoredImage): Promise<boolean> {
  const target = path.join(folder, `${token}.${imageEndings[format]}`);
  const bytes = await readFile(`${folderOf(key)}/${fileName("original", format)}`);
  if (bytes === null) return false;
  if ((await sizeOf(target)) === bytes.length) return true;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(`${target}.part`, bytes, { mode: 0o600 });
  await rename(`${target}.part`, target);
  return true;
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
