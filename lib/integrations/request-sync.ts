import type { Actor } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { recordSyncRequest } from "@/lib/integrations/record-run";
import { isRunning, lockIntegration, requireIntegration, toIntegration } from "@/lib/integrations/rows";
import type { Integration } from "@/lib/integrations/schema";
import { integrationLane } from "@/lib/integrations/sync-lane";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { enqueue, wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";

/**
 * Starts a sync in the background; of concurrent requests, one gets `conflict`. Confirmed catalog deletions are
 * recorded in the audit log. Throws `not_found`, and `conflict` if the integration is paused or syncing.
 */
export async function requestSync(
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  kind: string,
  { confirmDeletions = false }: { confirmDeletions?: boolean } = {},
): Promise<Integration> {
  const row = await transaction(async (db) => {
    const integration = await lockIntegration(client.id, kind, db);
    if (!integration.enabled) throw new AppError("conflict", { reason: "integration_paused" });
    if (isRunning(integration)) throw new AppError("conflict", { reason: "already_at_work" });
    await recordSyncRequest(db, client.id, integration.type);
    if (confirmDeletions) await auditConfirmedDeletions(db, actor, client, kind);
    const data = { client_id: client.id, kind, lane: integrationLane(client.id, kind), asked: true };
    await enqueue(db, [
      { name: "integration/due", data: { ...data, ...(confirmDeletions && { confirm_deletions: true }) } },
    ]);
    return requireIntegration(client.id, kind, db);
  });
  wakeRelay();
  return toIntegration(row);
}

/** Records who confirmed catalog deletions. */
export const auditConfirmedDeletions = (
  db: Db,
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  kind: string,
): Promise<void> =>
  recordAudit(db, {
    clientId: client.id,
    actor,
    action: "integration.deletions_confirmed",
    subject: kind,
    detail: {},
  });
