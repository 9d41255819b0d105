import { setTimeout as sleep } from "node:timers/promises";
import { listDueFeeds, runFeed } from "@/lib/feeds/run-feed";
import { deliverDueRecords } from "@/lib/integrations/engagement/deliver-due";
import { listDueSyncs } from "@/lib/integrations/list-due-syncs";
import { syncPart } from "@/lib/integrations/sync-part";
import { deliverDueEvents } from "@/lib/integrations/webhooks/deliver-due";
import { listDueWebhooks } from "@/lib/integrations/webhooks/list-due";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { sendInvitations } from "@/lib/invitations/send-invitation";
import { notifyOverdue } from "@/lib/moderation/queue/notify-overdue";
import { withNow } from "@/lib/platform/clock";
import type { WorkKind } from "@/lib/test-clock/rules";

/** Invitations sent together, as by the job. */
const BATCH = 50;
/** Seconds that a partner may have a sync wait; the rest is left to the next one. */
const MAX_WAIT = 5;

// What the scheduled jobs do, for one store and in this process, so that it is done when a call responds. Everything is
// claimed, so that a job that does the same at the same time does it once.

/** Does one kind of a store's due work. `at`: the time of its emails; `ends`: when to begin nothing more. */
export const runWork: Record<WorkKind, (clientId: string, at: Date, ends: number) => Promise<void>> = {
  invitations: (clientId, at) =>
    withNow(at, async () => {
      await claimInvitations(clientId);
      const ids = await unsentInvitations(clientId);
      for (let from = 0; from < ids.length; from += BATCH)
        await sendInvitations(clientId, ids.slice(from, from + BATCH));
    }),
  async webhooks(clientId, _at, ends) {
    for (const { webhook_id } of await listDueWebhooks([clientId]))
      if (Date.now() < ends) await deliverDueEvents(clientId, webhook_id);
  },
  async engagement(clientId, _at, ends) {
    let next: number | null = 0;
    while (next === 0 && Date.now() < ends) ({ nextInMs: next } = await deliverDueRecords(clientId));
  },
  async feeds(clientId, _at, ends) {
    for (const { feed_id } of await listDueFeeds([clientId])) if (Date.now() < ends) await runFeed(clientId, feed_id);
  },
  async overdue(clientId) {
    await notifyOverdue([clientId]);
  },
  async syncs(clientId, _at, ends) {
    for (const { kind } of await listDueSyncs([clientId])) {
      let wait: number | null = 0;
      while (wait !== null && wait <= MAX_WAIT && Date.now() < ends) {
        if (wait > 0) await sleep(wait * 1_000);
        ({ nextInSeconds: wait } = await syncPart(clientId, kind, { requested: true }));
      }
    }
  },
};
