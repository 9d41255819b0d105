import type { KeptReport } from "@/lib/feeds/keep-import";
import { isAddress, readSource } from "@/lib/platform/parsing/read-source";
import { type ImportReviewsOptions, importReviews } from "@/lib/transfer/import-reviews";
import { picturesOf } from "@/lib/transfer/pictures-of";

/**
 * `importReviews` from a file on this machine or an http(s) address, as the operator names it. Pictures of our own files are
 * looked for in the folder beside the file, then among those of this installation.
 */
export function importReviewsFrom(
  clientId: string,
  fileOrUrl: string,
  options: ImportReviewsOptions = {},
): Promise<KeptReport> {
  const folder = isAddress(fileOrUrl) ? undefined : picturesOf(fileOrUrl);
  return readSource(
    fileOrUrl,
    (input, { source, charset }) =>
      importReviews(clientId, input, {
        source,
        ...(charset && { charset }),
        ...options,
        pictures: { folder, anywhere: true, ...options.pictures },
      }),
    options.pictures?.network,
  );
}
