import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { AppError } from "@/lib/platform/errors";
import { displayUrl, type GuardedRequest, type GuardedResponse, guardedFetch } from "@/lib/platform/http/guarded-fetch";

/** Larger than the HTML of any product page. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

/** A store's page. `html` is empty if its status isn't 2xx. */
export type LoadedPage = { status: number; url: string; html: string; headers: IncomingHttpHeaders };

/**
 * Loads a page whose URL a person entered. Throws `unavailable` or `too_large` without a readable page, and
 * `invalid_field` on `url` if the page may not be fetched (an internal network).
 */
export async function loadPage(page: URL, network?: GuardedRequest["network"]): Promise<LoadedPage> {
  const response = await guardedFetch(page.href, {
    headers: { accept: "text/html", "accept-encoding": "identity" },
    maxBytes: MAX_PAGE_BYTES,
    timeout: TIMEOUT_MS,
    network,
  });
  const { status, url, headers } = response;
  if (status < 300) return { status, url, html: new TextDecoder().decode(await decompress(response)), headers };
  response.body.destroy();
  return { status, url, html: "", headers };
}

const decoders = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

/** Some servers compress although they were asked not to. */
async function decompress({ headers, body, url }: GuardedResponse): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  const bytes = Buffer.concat(parts);
  const decode = decoders[headers["content-encoding"] as keyof typeof decoders];
  if (!decode) return bytes;
  try {
    return await decode(bytes, { maxOutputLength: MAX_PAGE_BYTES });
  } catch (cause) {
    throw new AppError("unavailable", {
      reason: "connection_failed",
      params: { address: displayUrl(new URL(url)) },
      cause,
    });
  }
}
