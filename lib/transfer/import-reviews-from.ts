import type { StoredReport } from "@/lib/feeds/import-records";
import { isAddress, readSource } from "@/lib/platform/parsing/read-source";
import { imagesFolderOf } from "@/lib/transfer/images-folder";
import { type ImportReviewsOptions, importReviews } from "@/lib/transfer/import-reviews";

/**
 * `importReviews` from a local file or an http(s) URL. Images of our own files are read from the folder beside the
 * file, then from this installation.
 */
export function importReviewsFrom(
  clientId: string,
  fileOrUrl: string,
  options: ImportReviewsOptions = {},
): Promise<StoredReport> {
  const folder = isAddress(fileOrUrl) ? undefined : imagesFolderOf(fileOrUrl);
  return readSource(
    fileOrUrl,
    (input, { source, charset }) =>
      importReviews(clientId, input, {
        source,
        ...(charset && { charset }),
        ...options,
        imageSources: { folder, fromAnyClient: true, ...options.imageSources },
      }),
    options.imageSources?.network,
  );
}
