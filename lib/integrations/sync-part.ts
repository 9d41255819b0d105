import { syncCommerce } from "@/lib/integrations/commerce/sync-commerce";
import { syncShare } from "@/lib/integrations/delta-share/sync-share";
import { syncEngagement } from "@/lib/integrations/engagement/sync-engagement";
import type { KindName } from "@/lib/integrations/kinds";
import { clearSyncRequest, readSyncRequest } from "@/lib/integrations/record-run";
import { isKind } from "@/lib/integrations/rows";
import { SYNC_FINISHED, type SyncPart, type SyncRequest } from "@/lib/integrations/sync-types";

type Sync = (clientId: string, options: SyncRequest) => Promise<SyncPart>;

/**
 * Syncs by kind: each imports new data or sends due deliveries. A call runs one part, to be repeated after the returned
 * seconds until there is no next part. Errors of the other system end up in the run's report.
 */
export const syncs: Record<KindName, Sync> = {
  engagement: syncEngagement,
  commerce: syncCommerce,
  share: syncShare,
};

/**
 * Runs one part of a sync. At the end of the run, clears requests made before this part started, even if no run could
 * start.
 */
export async function syncPart(clientId: string, kind: string, request: SyncRequest = {}): Promise<SyncPart> {
  if (!isKind(kind)) return SYNC_FINISHED;
  const requestedAt = request.requested ? await readSyncRequest(clientId, kind) : null;
  const part = await syncs[kind](clientId, request);
  if (requestedAt !== null && part.nextInSeconds === null) await clearSyncRequest(clientId, kind, requestedAt);
  return part;
}
