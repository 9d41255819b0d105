import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Db } from "@/lib/platform/db/pool";
import type { RawJson } from "@/lib/platform/http/reply";
import { getContribution } from "@/lib/reviews/contributions/get-contribution";

/**
 * A review of the client as `{"data": …}`, limited to what the actor may see. Throws `not_found`, also for another
 * client's.
 */
export const getReview = (
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  id: string,
  db?: Db,
): Promise<RawJson> => getContribution("reviews", actor, client, id, db);
