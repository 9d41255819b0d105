import { syncCommerce } from "@/lib/integrations/commerce/sync-commerce";
import { syncShare } from "@/lib/integrations/delta-share/sync-share";
import { syncEngagement } from "@/lib/integrations/engagement/sync-engagement";
import type { KindName } from "@/lib/integrations/kinds";
import { clearSyncRequest, readSyncRequest } from "@/lib/integrations/record-run";
import { isKind } from "@/lib/integrations/rows";
import { SYNC_FINISHED, type SyncPart, type SyncRequest } from "@/lib/integrations/sync-part";

type Sync = (clientId: string, options: SyncRequest) => Promise<SyncPart>;

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

/** Moves a client's integration on by one part. What was asked for before it is answered by its end, be it that nothing could begin. */
export async function syncPart(clientId: string, kind: string, asked: SyncRequest = {}): Promise<SyncPart> {
  if (!isKind(kind)) return SYNC_FINISHED;
  const requestedAt = asked.asked ? await readSyncRequest(clientId, kind) : null;
  const part = await syncs[kind](clientId, asked);
  if (requestedAt !== null && part.nextInSeconds === null) await clearSyncRequest(clientId, kind, requestedAt);
  return part;
}
