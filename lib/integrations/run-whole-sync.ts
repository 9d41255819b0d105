import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { listSyncRuns } from "@/lib/integrations/record-run";
import { auditConfirmedDeletions } from "@/lib/integrations/request-sync";
import { requireIntegration } from "@/lib/integrations/rows";
import type { IntegrationRun } from "@/lib/integrations/schema";
import { syncPart } from "@/lib/integrations/sync-part";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";

/**
 * Runs a sync to its end in this process and returns its report. Confirmed catalog deletions are recorded in the audit
 * log. Throws `not_found`, and `conflict` if the integration is paused.
 */
export async function runWholeSync(
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  kind: string,
  { confirmDeletions }: { confirmDeletions?: boolean } = {},
): Promise<IntegrationRun | null> {
  const row = await requireIntegration(client.id, kind);
  if (!row.enabled) throw new AppError("conflict", { reason: "integration_paused" });
  if (confirmDeletions) await auditConfirmedDeletions(pool(), actor, client, row.type);
  for (;;) {
    const { nextInSeconds } = await syncPart(client.id, row.type, { requested: true, confirmDeletions });
    if (nextInSeconds === null) break;
    await sleep(nextInSeconds * 1_000);
  }
  const [run] = await listSyncRuns(client, row.type, 1);
  return run ?? null;
}
