import { setTimeout as sleep } from "node:timers/promises";
import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { listRuns } from "@/lib/integrations/record-run";
import { auditConfirmedDeletions } from "@/lib/integrations/request-sync";
import { requireIntegration } from "@/lib/integrations/rows";
import type { IntegrationRun } from "@/lib/integrations/schema";
import { syncPart } from "@/lib/integrations/syncs";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";

/**
 * Runs one synchronisation to its end in this process and answers its report. That most of the catalogue may leave is noted
 * in the audit. Throws `not_found` where there is no such integration, `conflict` where it waits.
 */
export async function runSync(
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  kind: string,
  { confirmDeletions }: { confirmDeletions?: boolean } = {},
): Promise<IntegrationRun | null> {
  const row = await requireIntegration(client.id, kind);
  if (!row.enabled) throw new AppError("conflict", { reason: "integration_paused" });
  if (confirmDeletions) await auditConfirmedDeletions(pool(), actor, client, row.type);
  for (;;) {
    const { nextInSeconds } = await syncPart(client.id, row.type, { asked: true, confirmDeletions });
    if (nextInSeconds === null) break;
    await sleep(nextInSeconds * 1_000);
  }
  const [run] = await listRuns(client, row.type, 1);
  return run ?? null;
}
