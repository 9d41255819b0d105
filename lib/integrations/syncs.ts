import { type SyncPart, syncCommerce } from "@/lib/commerce/sync-commerce";
import type { KindName } from "@/lib/integrations/kinds";

type Sync = (clientId: string, options: { asked?: boolean }) => Promise<SyncPart>;

/**
 * What comes in by the kinds that something comes in by: a part of a run each time, to be called until nothing is left,
 * after as many seconds as it says. Whatever the other system is to blame for ends in the run's report.
 */
export const syncs: Partial<Record<KindName, Sync>> = {
  commerce: syncCommerce,
};

/** Moves a client's integration on by one part. A kind that nothing comes in by has nothing to do. */
export const syncPart = async (clientId: string, kind: string, asked = false): Promise<SyncPart> =>
  (await syncs[kind as KindName]?.(clientId, { asked })) ?? { again: null, error: null };
