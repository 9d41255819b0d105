import { setTimeout as sleep } from "node:timers/promises";
import { listDueFeeds, runFeed } from "@/lib/feeds/run-feed";
import { deliverDueRecords } from "@/lib/integrations/engagement/deliver-due";
import { listDueSyncs } from "@/lib/integrations/list-due-syncs";
import { syncPart } from "@/lib/integrations/sync-part";
import { deliverDueEvents } from "@/lib/integrations/webhooks/deliver-due";
import { listDueWebhooks } from "@/lib/integrations/webhooks/list-due";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { sendInvitations } from "@/lib/invitations/send-invitation";
import { listDueDigests, sendDigests } from "@/lib/moderation/digests/send-digests";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { deliverMails } from "@/lib/platform/mail/deliver-mails";
import type { WorkKind } from "@/lib/test-clock/rules";
import { selectQueuedMails } from "./sql";

/** Invitations sent together, as by the job. */
const BATCH = 50;
/** Seconds that a partner may have a sync wait; the rest is left to the next one. */
const MAX_WAIT = 5;

// What the scheduled jobs do, for one store and in this process, so that it is done when a call responds. Everything is
// claimed, so that a job that does the same at the same time does it once.

/** Does one kind of a store's due work. `at`: the time of its emails. */
export const runWork: Record<WorkKind, (clientId: string, at: Date) => Promise<void>> = {
  invitations: (clientId, at) =>
    withNow(at, async () => {
      await claimInvitations(clientId);
      const ids = await unsentInvitations(clientId);
      for (let from = 0; from < ids.length; from += BATCH)
        await sendInvitations(clientId, ids.slice(from, from + BATCH));
    }),
  async webhooks(clientId) {
    for (const { webhook_id } of await listDueWebhooks([clientId])) await deliverDueEvents(clientId, webhook_id);
  },
  async engagement(clientId) {
    let next: number | null = 0;
    while (next === 0) ({ nextInMs: next } = await deliverDueRecords(clientId));
  },
  async feeds(clientId) {
    for (const { feed_id } of await listDueFeeds([clientId])) await runFeed(clientId, feed_id);
  },
  async syncs(clientId) {
    for (const { kind } of await listDueSyncs([clientId])) {
      let wait: number | null = 0;
      while (wait !== null && wait <= MAX_WAIT) {
        if (wait > 0) await sleep(wait * 1_000);
        ({ nextInSeconds: wait } = await syncPart(clientId, kind, { requested: true }));
      }
    }
  },
  async digests(clientId) {
    const due = await listDueDigests([clientId]);
    if (due.length > 0) await sendDigests(due, newId("run"));
    await deliverMails(await selectQueuedMails(pool(), clientId));
  },
};
