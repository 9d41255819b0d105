import pg from "pg";
import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import { customersHiddenError } from "@/lib/accounts/customers-hidden";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { cutPage, decodeCursor, nextLink } from "@/lib/platform/http/cursor";
import { type RawJson, rawPage } from "@/lib/platform/http/reply";
import type { ContributionFilter, ContributionTable } from "@/lib/reviews/contributions/schema";
import { contributionParts, portalAddresses } from "@/lib/reviews/contributions/serialize";
import { pageMarkers, selectContributionPage } from "./sql";

const parseTime = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/**
 * A page of a client's reviews, seller reviews or questions as JSON text: by (updated_at, id) with `updated_after`,
 * else by (created_at, id). `url` is the request's URL, for `links.next`. Without access to personal data,
 * `author_email` and `customer_id` are null and can't be filtered by (`forbidden`). Throws `invalid_cursor`.
 */
export async function listContributions(
  table: ContributionTable,
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  filter: ContributionFilter,
  url: URL,
): Promise<RawJson> {
  const people = maySeePeople(actor);
  if (!people && filter.customer_id !== undefined) throw customersHiddenError("customer_id");
  const order = `${table}.${filter.updated_after ? "updated" : "created"}`;
  const cursor = filter.after === undefined ? null : decodeCursor(filter.after, order, ["time", "text"]);
  const rows = await selectContributionPage(pool(), table, client.id, filter, cursor);
  const { shown, last } = cutPage(rows, filter.limit, pageMarkers);
  const next =
    last &&
    nextLink(env().PUBLIC_URL, url, {
      order,
      key: [parseTime(last[4]).toISOString(), last[1]],
      startedAt: cursor?.startedAt ?? parseTime(last[5] as string).toISOString(),
    });
  const portal = portalAddresses(table, client.id);
  return rawPage(
    shown.map((row) => contributionParts(row, portal, { people })),
    next,
  );
}
