import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { matchesEtag } from "@/lib/platform/http/etag";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import { readFile } from "@/lib/platform/storage/files";
import { folderOf, isSigned } from "@/lib/reviews/uploads/image-objects";
import { selectImageState } from "./sql";

const types: Record<string, string> = { jpg: "image/jpeg", png: "image/png", webp: "image/webp" };

/**
 * An image, if this URL may see it now: of an accepted review everybody, of a pending one those with a signed URL.
 * Otherwise, also if rejected or unclaimed, throws `not_found`. The headers keep browsers from treating the bytes as a
 * page.
 */
export async function readImage(
  { key, file }: { key: string; file: string },
  { expires, signature }: { expires?: string; signature?: string },
  ifNoneMatch: string | null,
): Promise<Reply<undefined>> {
  const missing = () => new AppError("not_found", { reason: "image_not_found" });
  const state = await selectImageState(pool(), key);
  const open = state?.accepted === true || (state?.accepted === null && isSigned(key, expires, signature));
  if (!open) throw missing();
  const etag = `"${key}-${file}"`;
  const headers = {
    ETag: etag,
    "Cache-Control": state.accepted ? "public, max-age=86400" : "private, no-store",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Content-Disposition": "inline",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Content-Type": types[file.slice(file.lastIndexOf(".") + 1)] as string,
  };
  if (matchesEtag(ifNoneMatch, etag)) return new Reply<undefined>(undefined, { status: 304, headers });
  const bytes = await readFile(`${folderOf(key)}/${file}`);
  if (!bytes) throw missing();
  return new Reply<undefined>(new RawJson(bytes), { headers });
}
