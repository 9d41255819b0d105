import { getClient } from "@/lib/accounts/stores/get-client";
import { widgetOriginOf } from "@/lib/accounts/stores/rules";
import { loadPage } from "@/lib/insights/load-page";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { displayUrl, type GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import { findMarkup } from "./find-markup";
import { explainMigration, type MigrationFinding, type MovedStore } from "./rules";

export type MigrationCheck = {
  /** the page's URL after redirects */
  url: string;
  /** whether nothing was found that doesn't work */
  works: boolean;
  findings: MigrationFinding[];
};

/**
 * Checks a store's page that was built for the hosted service that Candor replaces: what works once the host in it is
 * changed. `clientId` is the only store that it should have. Stores nothing. Throws `invalid_field` on `url` for an
 * internal network, and `unavailable` if there is no readable page.
 */
export async function checkPage(
  url: string,
  { clientId, network }: { clientId?: string; network?: GuardedRequest["network"] } = {},
): Promise<MigrationCheck> {
  if (!URL.canParse(url)) throw new AppError("invalid_field", { reason: "no_address", field: "url" });
  const page = await loadPage(new URL(url), network);
  if (page.status >= 300) {
    const params = { address: displayUrl(new URL(page.url)), status: page.status };
    throw new AppError("unavailable", { reason: "bad_status", params });
  }
  const markups = findMarkup(page.html, page.url);
  const ids = markups.flatMap((markup) => ("clientId" in markup && markup.clientId !== null ? [markup.clientId] : []));
  const stores = new Map<string, MovedStore | null>();
  for (const id of new Set(ids)) stores.set(id, await getClient(id));
  const policies = String(page.headers["content-security-policy"] ?? "")
    .split(",")
    .filter((policy) => policy.trim() !== "");
  // One page has one store; of several, this installation's own origin is right for all.
  const known = [...stores.values()].filter((store) => store !== null);
  const ownOrigin = env().PUBLIC_URL;
  const origin = widgetOriginOf(known.length === 1 ? (known[0]?.config ?? {}) : {}, ownOrigin);
  const findings = explainMigration(markups, { pageUrl: page.url, policies, stores, clientId, origin, ownOrigin });
  return { url: page.url, works: findings.every(({ works }) => works !== false), findings };
}
