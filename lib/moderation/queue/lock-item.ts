import type { PoolClient } from "pg";
import { AppError } from "@/lib/platform/errors";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";

/** Locks an item until the transaction ends, as decisions do. Throws `not_found`. */
export async function lockItem(
  db: PoolClient,
  clientId: string,
  kind: DecidedKind,
  id: string,
): Promise<{ accepted: boolean | null }> {
  const { rows } = await db.query<{ accepted: boolean | null }>(
    `select accepted from ${tables[kind]} where client_id = $1 and id = $2 for no key update`,
    [clientId, id],
  );
  const item = rows[0];
  if (!item) throw new AppError("not_found", { reason: `${kind}_not_found` });
  return item;
}
