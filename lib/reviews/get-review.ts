import type { ClientRow } from "@/lib/clients/get-client";
import { type Db, pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { RawJson } from "@/lib/http/reply";
import { portalAddresses, reviewJson } from "@/lib/reviews/serialize";
import { selectReview } from "./sql";

/** One review of the client as `{"data": …}`. Throws `not_found`, also for another client's review. */
export async function getReview(client: Pick<ClientRow, "id">, id: string, db: Db = pool()): Promise<RawJson> {
  const row = await selectReview(db, client.id, id);
  if (!row) throw new AppError("not_found", "There is no such review.");
  return new RawJson(`{"data":${reviewJson(row, portalAddresses(client.id))}}`);
}
