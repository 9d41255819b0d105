import type { Actor } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { getContribution } from "@/lib/contributions/get-contribution";
import type { Db } from "@/lib/db/pool";
import type { RawJson } from "@/lib/http/reply";

/** One review of the client as `{"data": …}`, as far as the actor may see it. Throws `not_found`, also for another client's. */
export const getReview = (
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  id: string,
  db?: Db,
): Promise<RawJson> => getContribution("reviews", actor, client, id, db);
