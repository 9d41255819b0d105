import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { acceptsGzip } from "@/lib/platform/http/accepts-gzip";
import { matchesEtag } from "@/lib/platform/http/etag";
import { RawJson, Reply } from "@/lib/platform/http/reply";

/** A file, ready to send plain or gzipped. */
export type Asset = { plain: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer>; etag: string };

export function toAsset(content: string | Uint8Array<ArrayBuffer>): Asset {
  const plain = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const etag = createHash("sha256").update(plain).digest("base64url").slice(0, 27);
  return { plain, gzip: new Uint8Array(gzipSync(plain, { level: 9 })), etag };
}

/** Seconds for which a browser needn't revalidate, and for which it can show a stale copy while it does. */
export const SHORT_CACHE = "public, max-age=300, stale-while-revalidate=86400";
/** For URLs that contain the version of their content. */
export const IMMUTABLE_CACHE = "public, max-age=31536000, immutable";

/** An asset for this caller: gzipped if accepted, or 304. The ETag is strong, so each encoding has its own. */
export function assetReply({ plain, gzip, etag }: Asset, requestHeaders: Headers, caching: string): Reply<undefined> {
  const compressed = acceptsGzip(requestHeaders.get("accept-encoding"));
  const tag = `"${etag}${compressed ? "-gz" : ""}"`;
  const headers: Record<string, string> = { ETag: tag, "Cache-Control": caching, Vary: "Accept-Encoding" };
  if (matchesEtag(requestHeaders.get("if-none-match"), tag)) return new Reply(undefined, { status: 304, headers });
  if (compressed) headers["Content-Encoding"] = "gzip";
  return new Reply<undefined>(new RawJson(compressed ? gzip : plain), { headers });
}
