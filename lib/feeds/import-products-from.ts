import { type ImportOptions, type ImportReport, importProducts } from "@/lib/feeds/import-products";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import { type FeedVersion, fetchFeed } from "@/lib/platform/parsing/fetch-file";
import { readFileAs, readSource } from "@/lib/platform/parsing/read-source";

/** Imports a feed from a local file or an http(s) URL. */
export const importProductsFrom = (
  clientId: string,
  fileOrUrl: string,
  options: ImportOptions = {},
): Promise<ImportReport> =>
  readSource(fileOrUrl, (input, names) => importProducts(clientId, input, { ...names, ...options }));

/** `importProducts` from a file. Throws `not_found` if there is none, `invalid_field` if it can't be read. */
export const importProductsFromFile = (
  clientId: string,
  file: string,
  options: ImportOptions = {},
): Promise<ImportReport> =>
  readFileAs(file, (input, names) => importProducts(clientId, input, { ...names, ...options }));

export type UrlOptions = ImportOptions & {
  /** Validators of the last response from this URL: a feed unchanged since then isn't read. */
  known?: Partial<FeedVersion>;
  network?: GuardedRequest["network"];
};

/** `importProducts` from a URL, with SSRF protection; see `fetchFeed` for its errors. */
export async function importProductsFromUrl(
  clientId: string,
  url: string,
  { known, network, ...options }: UrlOptions = {},
): Promise<{ notModified: true } | ({ notModified: false; report: ImportReport } & FeedVersion)> {
  const fetched = await fetchFeed(url, known, { network });
  if (fetched.notModified) return { notModified: true };
  const { body, source, filename, charset, etag, lastModified } = fetched;
  try {
    const report = await importProducts(clientId, body, { source, filename, ...(charset && { charset }), ...options });
    return { notModified: false, report, etag, lastModified };
  } finally {
    body.destroy();
  }
}
