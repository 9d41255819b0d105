import { type Actor, maySeePeople } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { type Db, pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { RawJson } from "@/lib/http/reply";
import { portalAddresses, reviewJson } from "@/lib/reviews/serialize";
import { selectReview } from "./sql";

/** One review of the client as `{"data": …}`, as far as the actor may see it. Throws `not_found`, also for another client's. */
export async function getReview(
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  id: string,
  db: Db = pool(),
): Promise<RawJson> {
  const row = await selectReview(db, client.id, id);
  if (!row) throw new AppError("not_found", "There is no such review.");
  return new RawJson(`{"data":${reviewJson(row, portalAddresses(client.id), { people: maySeePeople(actor) })}}`);
}
