import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import type { SearchResult } from "@/lib/search/schema";
import { searchKinds } from "@/lib/search/values";
import { selectResults } from "./sql";

/** Results of each kind. */
const LIMIT = 5;

/**
 * A store's orders, customers, products, reviews and questions that have words beginning with all those of `q`, or whose
 * id is `q`: up to five of each kind, those with this id first, then rather new ones. An order is also found by its
 * customer. Customers are neither found nor named for people who may not see personal data.
 */
export async function search(
  actor: Pick<Actor, "role">,
  client: Pick<ClientRow, "id">,
  q: string,
): Promise<SearchResult[]> {
  const rows = await selectResults(pool(), client.id, q.trim(), { people: maySeePeople(actor), limit: LIMIT });
  // Rows found in several ways are first where they match best.
  return searchKinds.flatMap((kind) =>
    rows
      .filter((row) => row.kind === kind)
      .filter(({ id }, index, all) => all.findIndex((other) => other.id === id) === index)
      .slice(0, LIMIT),
  );
}
