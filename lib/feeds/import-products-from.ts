import { open } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@/lib/errors";
import { type FeedVersion, fetchFeed } from "@/lib/feeds/fetch-feed";
import { type ImportOptions, type ImportReport, importProducts } from "@/lib/feeds/import-products";
import { unreadable } from "@/lib/feeds/read-text";
import type { GuardedRequest } from "@/lib/http/guarded-fetch";

/** Takes a feed from a file on this machine or from an http(s) address, as the operator names it. */
export async function importProductsFrom(
  clientId: string,
  fileOrUrl: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  if (!/^https?:\/\//i.test(fileOrUrl)) return importProductsFromFile(clientId, fileOrUrl, options);
  const outcome = await importProductsFromUrl(clientId, fileOrUrl, options);
  if (outcome.notModified) throw new AppError("unavailable", "The server says that nothing changed, though not asked.");
  return outcome.report;
}

/** `importProducts` from a file. AppError `not_found` when there is none, `invalid_field` when it may not be read. */
export async function importProductsFromFile(
  clientId: string,
  file: string,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const handle = await openFile(file);
  try {
    const filename = path.basename(file);
    return await importProducts(clientId, handle.createReadStream(), { source: filename, filename, ...options });
  } finally {
    await handle.close();
  }
}

export type UrlOptions = ImportOptions & {
  /** what the last import from here answered: a feed that did not change since is not read */
  known?: Partial<FeedVersion>;
  network?: GuardedRequest["network"];
};

/** `importProducts` from an address, fetched under guard; see `fetchFeed` for its errors. */
export async function importProductsFromUrl(
  clientId: string,
  url: string,
  { known, network, ...options }: UrlOptions = {},
): Promise<{ notModified: true } | ({ notModified: false; report: ImportReport } & FeedVersion)> {
  const fetched = await fetchFeed(url, known, network);
  if (fetched.notModified) return { notModified: true };
  const { body, source, filename, etag, lastModified } = fetched;
  try {
    const report = await importProducts(clientId, body, { source, filename, ...options });
    return { notModified: false, report, etag, lastModified };
  } finally {
    body.destroy();
  }
}

async function openFile(file: string) {
  try {
    const handle = await open(file);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (cause) {
    const { code } = (cause ?? {}) as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new AppError("not_found", `There is no file ${file}.`, { cause });
    throw unreadable(`${file} cannot be opened.`, cause);
  }
  throw unreadable(`${file} is not a file.`);
}
