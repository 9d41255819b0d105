import { type Actor, maySeePeople } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import type { ContributionTable } from "@/lib/contributions/schema";
import { contributionJson, portalAddresses } from "@/lib/contributions/serialize";
import { type Db, pool } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { RawJson } from "@/lib/http/reply";
import { selectOne } from "./sql";

const words: Record<ContributionTable, string> = {
  reviews: "review",
  seller_reviews: "seller review",
  questions: "question",
};

/**
 * One review, seller review or question of the client as `{"data": …}`, as far as the actor may see it. Throws
 * `not_found`, also for another client's.
 */
export async function getContribution(
  table: ContributionTable,
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  id: string,
  db: Db = pool(),
): Promise<RawJson> {
  const row = await selectOne(db, table, client.id, id);
  if (!row) throw new AppError("not_found", `There is no such ${words[table]}.`);
  const portal = portalAddresses(table, client.id);
  return new RawJson(`{"data":${contributionJson(row, portal, { people: maySeePeople(actor) })}}`);
}
