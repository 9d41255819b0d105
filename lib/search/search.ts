import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import { hidesStars } from "@/lib/accounts/hides-stars";
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
 * customer. Customers are neither found nor named for people who may not see personal data, nor stars of undecided reviews shown to people who don't want to see them.
 */
export async function search(
  actor: Pick<Actor, "id" | "role">,
  client: Pick<ClientRow, "id">,
  q: string,
): Promise<SearchResult[]> {
  const reader = { people: maySeePeople(actor), hidesStars: await hidesStars(actor, client.id) };
  const rows = await selectResults(pool(), client.id, q.trim(), { ...reader, limit: LIMIT });
  // Rows found in several ways are first where they match best.
  return searchKinds.flatMap((kind) =>
    rows
      .filter((row) => row.kind === kind)
      .filter(({ id }, index, all) => all.findIndex((other) => other.id === id) === index)
      .slice(0, LIMIT),
  );
}
