import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { matchesEtag } from "@/lib/platform/http/etag";
import { RawJson, Reply } from "@/lib/platform/http/reply";

/** What is answered of the widget, ready to be sent either way. */
export type Asset = { plain: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer>; etag: string };

export function toAsset(text: string): Asset {
  const plain = new TextEncoder().encode(text);
  const etag = createHash("sha256").update(plain).digest("base64url").slice(0, 27);
  return { plain, gzip: new Uint8Array(gzipSync(plain, { level: 9 })), etag };
}

/** Seconds for which a browser need not ask again, and for which it may show what it has while it asks. */
export const SHORT_CACHE = "public, max-age=300, stale-while-revalidate=86400";
/** For addresses that name the version of what they answer. */
export const IMMUTABLE_CACHE = "public, max-age=31536000, immutable";

/** An asset as this caller takes it: compressed where it can be, or 304. Its tag is strong, so each way has its own. */
export function assetReply({ plain, gzip, etag }: Asset, asked: Headers, caching: string): Reply<undefined> {
  const compressed = /\bgzip\b/.test(asked.get("accept-encoding") ?? "");
  const tag = `"${etag}${compressed ? "-gz" : ""}"`;
  const headers: Record<string, string> = { ETag: tag, "Cache-Control": caching, Vary: "Accept-Encoding" };
  if (matchesEtag(asked.get("if-none-match"), tag)) return new Reply(undefined, { status: 304, headers });
  if (compressed) headers["Content-Encoding"] = "gzip";
  return new Reply<undefined>(new RawJson(compressed ? gzip : plain), { headers });
}
