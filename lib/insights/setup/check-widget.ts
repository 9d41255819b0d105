import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { widgetOriginOf } from "@/lib/accounts/stores/rules";
import { loadPage } from "@/lib/insights/load-page";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import { takeToken } from "@/lib/platform/http/rate-limit";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { findSnippets } from "./find-snippets";
import type { WidgetCheck } from "./schema";
import { hasProduct, saveWidgetCheck } from "./sql";

type Store = Pick<ClientRow, "id" | "allowed_origins" | "config">;
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
  const loaded = await loadPage(page, network).catch((error: unknown) => {
    if (error instanceof AppError && (error.code === "unavailable" || error.code === "too_large")) return null;
    throw error;
  });
  if (loaded === null) return { outcome: "unreachable" };
  if (loaded.status >= 300) return { outcome: "http_error", status: loaded.status };
  const { PUBLIC_URL } = env();
  const origins = [PUBLIC_URL, widgetOriginOf(client.config, PUBLIC_URL)];
  const snippets = findSnippets(loaded.html, loaded.url, origins);
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
