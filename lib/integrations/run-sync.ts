import { setTimeout as sleep } from "node:timers/promises";
import type { ClientRow } from "@/lib/clients/get-client";
import { AppError } from "@/lib/errors";
import { listRuns } from "@/lib/integrations/note-run";
import { knownIntegration } from "@/lib/integrations/rows";
import type { IntegrationRun } from "@/lib/integrations/schema";
import { syncPart } from "@/lib/integrations/syncs";

/**
 * Runs one synchronisation to its end in this process and answers its report. Throws `not_found` where there is no such
 * integration, `conflict` where it waits.
 */
export async function runSync(
  client: Pick<ClientRow, "id">,
  kind: string,
  { confirmDeletions }: { confirmDeletions?: boolean } = {},
): Promise<IntegrationRun | null> {
  const row = await knownIntegration(client.id, kind);
  if (!row.enabled) throw new AppError("conflict", "The integration is paused.");
  for (;;) {
    const { again } = await syncPart(client.id, row.type, { asked: true, confirmDeletions });
    if (again === null) break;
    await sleep(again * 1_000);
  }
  const [run] = await listRuns(client, row.type, 1);
  return run ?? null;
}
