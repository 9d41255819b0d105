import { inngest, scheduled } from "@/inngest/client";
import { collectErrors } from "@/inngest/collect-errors";
import { purgeSessions } from "@/lib/accounts/sign-in/portal-session";
import { purgeImports } from "@/lib/feeds/keep-import";
import { purgeUploads } from "@/lib/feeds/upload-feed";
import { purgeLeftShares } from "@/lib/integrations/delta-share/purge-left";
import { purgeWebhookDeliveries } from "@/lib/integrations/webhooks/list-due";
import { purgeQuarantines } from "@/lib/invitations/forget-quarantines";
import { purgeFingerprints } from "@/lib/moderation/rules/purge-fingerprints";
import { purgeErased } from "@/lib/orders/erased";
import { purgeIdempotencyKeys } from "@/lib/platform/http/forget-answers";
import { purgeJobFailures } from "@/lib/platform/jobs/job-failures";
import { purgePaces } from "@/lib/platform/jobs/pace";
import { purgeOutbox, purgeRuns } from "@/lib/platform/jobs/purge";
import type { Pass } from "@/lib/platform/storage/remove-each";
import { purgeSubmissions } from "@/lib/reviews/submissions/fingerprint";
import { removeUnclaimedUploads } from "@/lib/reviews/uploads/remove-unclaimed-uploads";

/** A night goes no further: what is left goes the next one. */
const MOST_BATCHES = 200;

/** What is removed in bounded batches; each answers how many rows went. */
const purges = {
  submissions: purgeSubmissions,
  "idempotency keys": purgeIdempotencyKeys,
  quarantines: purgeQuarantines,
  "hashes of erased people": purgeErased,
  outbox: purgeOutbox,
  runs: purgeRuns,
  "job failures": () => purgeJobFailures(),
  prints: purgeFingerprints,
  paces: purgePaces,
  imports: purgeImports,
  sessions: purgeSessions,
  "webhook deliveries": purgeWebhookDeliveries,
  "left data shares": purgeLeftShares,
};

/** What has files: a pass each, which tells behind which one the next goes on. */
const files = { "feed uploads": purgeUploads, uploads: removeUnclaimedUploads };

/** Every night: removes what has had its day. */
export const cleanUp = inngest.createFunction(
  { id: "clean-up", triggers: [...scheduled("clean-up", "30 3 * * *")] },
  async ({ step }) => {
    const removed: Record<string, number> = {};
    const faults = collectErrors();
    for (const [name, purge] of Object.entries(purges)) {
      removed[name] = 0;
      // A batch a step: a night that follows a busy month goes on where a crash left it.
      for (let batch = 1, count = 1; count > 0 && batch <= MOST_BATCHES; batch += 1) {
        count = (await faults.hold(name, () => step.run(`${name} ${batch}`, () => purge()))) ?? 0;
        removed[name] += count;
      }
    }
    // Last, since a store of files in trouble must not keep rows from going.
    for (const [name, remove] of Object.entries(files)) {
      removed[name] = 0;
      let [behind, fault]: [string | null, string | null] = [null, null];
      for (let batch = 1; batch === 1 || (behind !== null && batch <= MOST_BATCHES); batch += 1) {
        const from: string | null = behind;
        const pass: Pass | null = await faults.hold(name, () => step.run(`${name} ${batch}`, () => remove(from)));
        removed[name] += pass?.removed ?? 0;
        behind = pass?.behind ?? null;
        fault ??= pass?.fault ?? null;
      }
      if (fault !== null) faults.note(name, fault);
    }
    faults.end();
    return removed;
  },
);
