import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type Db, pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { RawJson } from "@/lib/platform/http/reply";
import type { Reason } from "@/lib/platform/issue";
import type { ContributionTable } from "@/lib/reviews/contributions/schema";
import { contributionJson, portalAddresses } from "@/lib/reviews/contributions/serialize";
import { selectContribution } from "./sql";

const missing: Record<ContributionTable, Reason> = {
  reviews: "review_not_found",
  seller_reviews: "seller_review_not_found",
  questions: "question_not_found",
};

/**
 * A review, seller review or question as `{"data": …}`, limited to what the actor may see. Throws `not_found`, also for
 * another client's.
 */
export async function getContribution(
  table: ContributionTable,
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  id: string,
  db: Db = pool(),
): Promise<RawJson> {
  const row = await selectContribution(db, table, client.id, id);
  if (!row) throw new AppError("not_found", { reason: missing[table] });
  const portal = portalAddresses(table, client.id);
  return new RawJson(`{"data":${contributionJson(row, portal, { people: maySeePeople(actor) })}}`);
}
