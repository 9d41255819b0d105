import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";

/** Minutes until a viewer expires without a new request, so that an open tab doesn't block others. */
const VIEWER_TTL_MINUTES = 2;

/**
 * Records that a person views an item, replacing the one viewed before, and returns the other viewers. Informative
 * only: conflicting decisions are rejected by the item's state. Throws `not_found`.
 */
export function recordViewer(
  actor: Pick<Actor, "id">,
  client: Pick<ClientRow, "id">,
  kind: DecidedKind,
  id: string,
): Promise<{ others: { name: string; since: string }[] }> {
  return transaction(async (db) => {
    const { rowCount } = await db.query(
      `insert into queue_looks as l (client_id, user_id, kind, subject_id)
       select client_id, $3, $4, id from ${tables[kind]} where client_id = $1 and id = $2
       on conflict (client_id, user_id) do update set kind = excluded.kind, subject_id = excluded.subject_id, seen_at = now(),
         began_at = case when l.kind = excluded.kind and l.subject_id = excluded.subject_id
                          and l.seen_at > now() - interval '${VIEWER_TTL_MINUTES} min' then l.began_at else now() end`,
      [client.id, id, actor.id, kind],
    );
    if (rowCount === 0) throw new AppError("not_found", { reason: `${kind}_not_found` });
    const { rows } = await db.query<{ name: string; began_at: Date }>(
      `select u.username as name, l.began_at from queue_looks l join users u on u.id = l.user_id
        where l.client_id = $1 and l.subject_id = $2 and l.kind = $4 and l.user_id <> $3
          and l.seen_at > now() - interval '${VIEWER_TTL_MINUTES} min'
        order by l.began_at, u.username limit 5`,
      [client.id, id, actor.id, kind],
    );
    return { others: rows.map(({ name, began_at }) => ({ name, since: toIsoSeconds(began_at) })) };
  });
}
