import { now } from "@/lib/clock";
import { syncCommerce } from "@/lib/commerce/sync-commerce";
import { syncShare } from "@/lib/data-share/sync-share";
import { pool } from "@/lib/db/pool";
import { syncEngagement } from "@/lib/engagement/sync-engagement";
import type { KindName } from "@/lib/integrations/kinds";
import { isKind } from "@/lib/integrations/rows";
import { type Asked, OVER, type SyncPart } from "@/lib/integrations/sync-part";

type Sync = (clientId: string, options: Asked) => Promise<SyncPart>;

/**
 * What a synchronisation of each kind is: what comes in by it is taken, what is due to go out is told. It is a part of a run
 * each time, to be called until nothing is left, after as many seconds as it says. Whatever the other system is to blame
 * for ends in the run's report.
 */
export const syncs: Record<KindName, Sync> = {
  engagement: syncEngagement,
  commerce: syncCommerce,
  share: syncShare,
};

/** Moves a client's integration on by one part. */
export async function syncPart(clientId: string, kind: string, asked: Asked = {}): Promise<SyncPart> {
  if (!isKind(kind)) return OVER;
  const begun = now().getTime();
  const part = await syncs[kind](clientId, asked);
  if (asked.asked && part.again === null) await forgetAsked(clientId, kind, begun);
  return part;
}

/** What was asked for by a moment is answered, be it that nothing could begin. Who asked since then still waits. */
const forgetAsked = (clientId: string, kind: KindName, until: number) =>
  pool().query(
    `update integrations set state = state - 'asked_at'
      where client_id = $1 and type = $2 and (state->>'asked_at')::float8 <= $3`,
    [clientId, kind, until],
  );
