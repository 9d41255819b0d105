import pg from "pg";
import { type Actor, maySeePeople } from "@/lib/auth/actor";
import { noPeople } from "@/lib/auth/no-people";
import type { ClientRow } from "@/lib/clients/get-client";
import { pool } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { decodeCursor, nextLink } from "@/lib/http/page";
import { type RawJson, rawPage } from "@/lib/http/reply";
import type { ReviewFilter } from "@/lib/reviews/schema";
import { portalAddresses, reviewJson } from "@/lib/reviews/serialize";
import { selectReviewPage } from "./sql";

const parseTime = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/**
 * A page of a client's reviews as JSON text: by (updated_at, id) with `updated_after`, else by (created_at, id).
 * `url` is the request's address, from which `links.next` is made. Who may not see people gets `author_email` and
 * `customer_id` as null, and cannot filter by customer (`forbidden`). Throws `invalid_cursor`.
 */
export async function listReviews(
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  filter: ReviewFilter,
  url: URL,
): Promise<RawJson> {
  const people = maySeePeople(actor);
  if (!people && filter.customer_id !== undefined) throw noPeople("customer_id");
  const order = filter.updated_after ? "reviews.updated" : "reviews.created";
  const cursor = filter.after === undefined ? null : decodeCursor(filter.after, order, ["time", "text"]);
  const rows = await selectReviewPage(pool(), client.id, filter, cursor);
  const shown = rows.length > filter.limit ? rows.slice(0, filter.limit) : rows;
  const last = shown.at(-1);
  const next =
    rows.length > filter.limit && last
      ? nextLink(env().PUBLIC_URL, url, {
          order,
          key: [parseTime(last[4]).toISOString(), last[1]],
          began: cursor?.began ?? parseTime(last[5] as string).toISOString(),
        })
      : undefined;
  const portal = portalAddresses(client.id);
  return rawPage(
    shown.map((row) => reviewJson(row, portal, { people })),
    next,
  );
}
