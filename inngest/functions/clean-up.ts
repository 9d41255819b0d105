import { inngest, scheduleTriggers } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import { purgeNotifications } from "@/lib/accounts/notifications/purge-notifications";
import { purgeSessions } from "@/lib/accounts/sign-in/session-store";
import { foldReviewCounts } from "@/lib/catalog/summaries/fold-review-counts";
import { purgeImports } from "@/lib/feeds/import-records";
import { purgeUploads } from "@/lib/feeds/upload-feed";
import { purgeDisconnectedShares } from "@/lib/integrations/delta-share/purge-disconnected";
import { purgeWebhookDeliveries } from "@/lib/integrations/webhooks/list-due";
import { purgeEndedQuarantines } from "@/lib/invitations/erase-quarantines";
import { purgeFingerprints } from "@/lib/moderation/rules/purge-fingerprints";
import { purgeErased } from "@/lib/orders/erased-hashes";
import { purgeIdempotencyKeys } from "@/lib/platform/http/stored-responses";
import { purgeJobFailures } from "@/lib/platform/jobs/job-failures";
import { purgePaces } from "@/lib/platform/jobs/partner-rate-limit";
import { purgeOutbox, purgeRuns } from "@/lib/platform/jobs/purge";
import type { DeletionResult } from "@/lib/platform/storage/delete-in-batches";
import { purgeAuthorPageLinks } from "@/lib/reviews/author-page/link";
import { purgeSubmissions } from "@/lib/reviews/submissions/fingerprint";
import { removeUnclaimedUploads } from "@/lib/reviews/uploads/remove-unclaimed-uploads";
import { purgeImportItems, purgeReviewImports } from "@/lib/transfer/imports/records";

/** Limit per night; the rest is left to the next one. */
const MAX_BATCHES = 200;

/** Data of stores, deleted in limited batches; each returns the number of rows. */
const storePurges: Record<string, typeof purgeSubmissions> = {
  submissions: purgeSubmissions,
  quarantines: purgeEndedQuarantines,
  "hashes of erased people": purgeErased,
  "job failures": purgeJobFailures,
  fingerprints: purgeFingerprints,
  imports: purgeImports,
  "items of review imports": purgeImportItems,
  "review imports": purgeReviewImports,
  "links to authors' pages": purgeAuthorPageLinks,
  notifications: purgeNotifications,
  "webhook deliveries": purgeWebhookDeliveries,
  "disconnected Delta Shares": purgeDisconnectedShares,
};

/** Likewise, of stores and of the server. */
const purges: Record<string, () => Promise<number>> = {
  ...storePurges,
  "idempotency keys": purgeIdempotencyKeys,
  outbox: purgeOutbox,
  runs: purgeRuns,
  "rate limits": purgePaces,
  sessions: purgeSessions,
  "changes of review counts": () => foldReviewCounts(),
};

/** Data with files: each batch returns the position after which the next continues. */
const filePurges = { "feed uploads": purgeUploads, uploads: removeUnclaimedUploads };

/** Batches of each kind at once: a request waits for them. The nightly run does the rest. */
const MAX_AT_ONCE = 3;

/** Deletes some of a store's expired data now, without a run. */
export async function purgeExpired(clientId: string): Promise<void> {
  for (const purge of Object.values(storePurges))
    for (let batch = 1, count = 1; count > 0 && batch <= MAX_AT_ONCE; batch += 1)
      count = await purge(undefined, clientId);
  for (const remove of Object.values(filePurges)) {
    let cursor: string | null = null;
    for (let batch = 1; batch === 1 || (cursor !== null && batch <= MAX_AT_ONCE); batch += 1)
      ({ continueAfter: cursor } = await remove(cursor, clientId));
  }
}

/** Every night: deletes expired data, and sums up counts. */
export const cleanUp = inngest.createFunction(
  { id: "clean-up", triggers: [...scheduleTriggers("clean-up", "30 3 * * *")] },
  async ({ step }) => {
    const removed: Record<string, number> = {};
    const errors = collectErrors();
    for (const [name, purge] of Object.entries(purges)) {
      removed[name] = 0;
      // One batch per step: after a crash the run continues where it stopped.
      for (let batch = 1, count = 1; count > 0 && batch <= MAX_BATCHES; batch += 1) {
        count = (await errors.attempt(name, () => step.run(`${name} ${batch}`, () => purge()))) ?? 0;
        removed[name] += count;
      }
    }
    // Last, so that problems with file storage don't keep rows from being deleted.
    for (const [name, remove] of Object.entries(filePurges)) {
      removed[name] = 0;
      let [cursor, lastError]: [string | null, string | null] = [null, null];
      for (let batch = 1; batch === 1 || (cursor !== null && batch <= MAX_BATCHES); batch += 1) {
        const from: string | null = cursor;
        const result: DeletionResult | null = await errors.attempt(name, () =>
          step.run(`${name} ${batch}`, () => remove(from)),
        );
        removed[name] += result?.removed ?? 0;
        cursor = result?.continueAfter ?? null;
        lastError ??= result?.error ?? null;
      }
      if (lastError !== null) errors.note(name, lastError);
    }
    errors.throwIfAny();
    return removed;
  },
);
