import { inngest, scheduled } from "@/inngest/client";
import { holdFaults } from "@/inngest/hold-faults";
import { purgeSessions } from "@/lib/auth/portal-session";
import { purgePrints } from "@/lib/auto-moderation/purge-prints";
import { purgeLeftShares } from "@/lib/data-share/purge-left";
import { purgeImports } from "@/lib/feeds/purge-imports";
import { purgeUploads } from "@/lib/feeds/upload-feed";
import { purgeIdempotencyKeys } from "@/lib/http/purge-idempotency-keys";
import { purgePaces } from "@/lib/integrations/pace";
import { purgeQuarantines } from "@/lib/invitations/forget-quarantines";
import { purgeRuns } from "@/lib/jobs/purge-runs";
import { purgeOutbox } from "@/lib/outbox/purge-outbox";
import { purgeSubmissions } from "@/lib/submissions/purge-submissions";
import { removeUnclaimedUploads } from "@/lib/uploads/remove-unclaimed-uploads";
import { purgeWebhookDeliveries } from "@/lib/webhooks/list-due";

/** What is removed in bounded batches; each answers how many rows went. */
const purges = {
  submissions: purgeSubmissions,
  "idempotency keys": purgeIdempotencyKeys,
  quarantines: purgeQuarantines,
  outbox: purgeOutbox,
  runs: purgeRuns,
  prints: purgePrints,
  paces: purgePaces,
  imports: purgeImports,
  sessions: purgeSessions,
  "webhook deliveries": purgeWebhookDeliveries,
  "left data shares": purgeLeftShares,
};

/** What has files; each bounds by itself how much it takes. */
const files = { "feed uploads": purgeUploads, uploads: removeUnclaimedUploads };

/** Every night: removes what has had its day. */
export const cleanUp = inngest.createFunction(
  { id: "clean-up", triggers: [...scheduled("clean-up", "30 3 * * *")] },
  async ({ step }) => {
    const removed: Record<string, number> = {};
    const faults = holdFaults();
    for (const [name, purge] of Object.entries(purges)) {
      removed[name] = 0;
      // A batch a step: a night that follows a busy month goes on where a crash left it.
      for (let batch = 1, count = 1; count > 0 && batch <= 200; batch += 1) {
        count = (await faults.hold(name, () => step.run(`${name} ${batch}`, () => purge()))) ?? 0;
        removed[name] += count;
      }
    }
    // Last, since a store of files in trouble must not keep rows from going.
    for (const [name, remove] of Object.entries(files))
      removed[name] = (await faults.hold(name, () => step.run(name, () => remove()))) ?? 0;
    faults.end();
    return removed;
  },
);
