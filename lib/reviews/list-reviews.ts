import pg from "pg";
import type { ClientRow } from "@/lib/clients/get-client";
import { pool } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { decodeCursor, nextLink } from "@/lib/http/page";
import { RawJson } from "@/lib/http/reply";
import type { ReviewFilter } from "@/lib/reviews/schema";
import { portalAddresses, reviewJson } from "@/lib/reviews/serialize";
import { selectReviewPage } from "./sql";

const parseTime = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/**
 * A page of a client's reviews as JSON text: by (updated_at, id) with `updated_after`, else by (created_at, id).
 * `url` is the request's address, from which `links.next` is made. Throws `invalid_cursor`.
 */
export async function listReviews(client: Pick<ClientRow, "id">, filter: ReviewFilter, url: URL): Promise<RawJson> {
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
          began: cursor?.began ?? parseTime(last[5]).toISOString(),
        })
      : undefined;
  const portal = portalAddresses(client.id);
  const data = shown.map((row) => reviewJson(row, portal)).join(",");
  return new RawJson(`{"data":[${data}],"links":${JSON.stringify({ next })}}`);
}
