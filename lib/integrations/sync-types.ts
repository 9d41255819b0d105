import type { EncodedNotices } from "@/lib/platform/notices";

/** Result of a part of a run: seconds until the next part, or null if the run is over. */
export type SyncPart = { nextInSeconds: number | null; error: EncodedNotices | null };

export const SYNC_FINISHED: SyncPart = { nextInSeconds: null, error: null };

/** `requested`: by a person. `confirmDeletions`: that person also confirmed deleting many products. */
export type SyncRequest = { requested?: boolean; confirmDeletions?: boolean };
