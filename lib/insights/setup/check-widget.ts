import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { type GuardedRequest, type GuardedResponse, guardedFetch } from "@/lib/platform/http/guarded-fetch";
import { takeToken } from "@/lib/platform/http/rate-limit";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { findSnippets } from "./find-snippets";
import type { WidgetCheck } from "./schema";
import { hasProduct, saveWidgetCheck } from "./sql";

/** Larger than the HTML of any product page. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

type Store = Pick<ClientRow, "id" | "allowed_origins">;
type Finding = Pick<WidgetCheck, "outcome"> & Partial<Pick<WidgetCheck, "status" | "other">>;

/**
 * Fetches a page, looks for the store's widget in its HTML, and stores the result. Throws `invalid_field` on `url` if the
 * page may not be fetched (an internal network), and `rate_limited`.
 */
export async function checkWidget(
  actor: Pick<Actor, "id">,
  client: Store,
  url: string,
  network?: GuardedRequest["network"],
): Promise<WidgetCheck> {
  takeToken("setup_check", actor.id);
  // Without credentials and fragment, since it is shown to the team.
  const page = new URL(url);
  Object.assign(page, { username: "", password: "", hash: "" });
  const finding = await inspect(client, page, network);
  const check: WidgetCheck = { url: page.href, status: null, other: null, checked_at: toIsoSeconds(now()), ...finding };
  await saveWidgetCheck(pool(), client.id, check);
  return check;
}

async function inspect(client: Store, page: URL, network: GuardedRequest["network"]): Promise<Finding> {
  const loaded = await load(page, network);
  if (loaded === null) return { outcome: "unreachable" };
  if (loaded.status >= 300) return { outcome: "http_error", status: loaded.status };
  const snippets = findSnippets(loaded.html, loaded.url, env().PUBLIC_URL);
  const own = snippets.find(({ clientId }) => clientId === client.id);
  if (!own)
    return snippets[0]
      ? { outcome: "other_store", other: snippets[0].clientId.slice(0, 100) }
      : { outcome: "no_snippet" };
  const { origin } = new URL(loaded.url);
  if (client.allowed_origins.length > 0 && !client.allowed_origins.includes(origin))
    return { outcome: "blocked_origin", other: origin };
  const { productId } = own;
  if (productId === null) return { outcome: "found" };
  if (productId.trim() === "" || isPlaceholder(productId)) return { outcome: "no_product" };
  return (await hasProduct(pool(), client.id, productId))
    ? { outcome: "found" }
    : { outcome: "unknown_product", other: productId.slice(0, 255) };
}

/** What a snippet contains before the platform has filled it in. */
const isPlaceholder = (productId: string): boolean => productId === "PRODUCT-ID" || /\{\{|\{\$|<\?/.test(productId);

type Loaded = { status: number; url: string; html: string };

/** The page, or null if the server can't be reached or sends no readable page. */
async function load(page: URL, network: GuardedRequest["network"]): Promise<Loaded | null> {
  try {
    const response = await guardedFetch(page.href, {
      headers: { accept: "text/html", "accept-encoding": "identity" },
      maxBytes: MAX_PAGE_BYTES,
      timeout: TIMEOUT_MS,
      network,
    });
    const { status, url } = response;
    if (status >= 300) {
      response.body.destroy();
      return { status, url, html: "" };
    }
    return { status, url, html: new TextDecoder().decode(await decompress(response)) };
  } catch (error) {
    if (error instanceof AppError && (error.code === "unavailable" || error.code === "too_large")) return null;
    throw error;
  }
}

const decoders = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };

/** Some servers compress although they were asked not to. */
async function decompress({ headers, body }: GuardedResponse): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  const bytes = Buffer.concat(parts);
  const decode = decoders[headers["content-encoding"] as keyof typeof decoders];
  if (!decode) return bytes;
  try {
    return await decode(bytes, { maxOutputLength: MAX_PAGE_BYTES });
  } catch (cause) {
    throw new AppError("unavailable", { reason: "connection_failed", params: { address: "" }, cause });
  }
}
