import type { Db } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";

/** Has what is due told after the caller's transaction, at once or so many seconds later. */
export const enqueueEngagementDelivery = (db: Db, clientId: string, delay_seconds?: number): Promise<void> =>
  enqueue(db, [{ name: "engagement/due", data: { client_id: clientId }, delay_seconds }]);
