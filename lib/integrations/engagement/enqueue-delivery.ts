import type { Db } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";

/** Enqueues the sending of due deliveries, after the caller's transaction and an optional delay. */
export const enqueueEngagementDelivery = (db: Db, clientId: string, delay_seconds?: number): Promise<void> =>
  enqueue(db, [{ name: "engagement/due", data: { client_id: clientId }, delay_seconds }]);
