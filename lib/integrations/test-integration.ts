import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { buildCheck, checkNotice } from "@/lib/integrations/build-check";
import { checks } from "@/lib/integrations/checks";
import type { KindName } from "@/lib/integrations/kinds";
import { recordTestResult } from "@/lib/integrations/record-run";
import {
  type IntegrationWithSecrets,
  requireIntegration,
  unsealCredentials,
  withSecrets,
} from "@/lib/integrations/rows";
import type { Check, Checks } from "@/lib/integrations/schema";
import { AppError } from "@/lib/platform/errors";
import { encodeError } from "@/lib/platform/notices";

/**
 * Tests an integration's connection without writing to the other system. A failure marks the integration as failing
 * until a test or a run succeeds. Throws `not_found`.
 */
export async function testIntegration(client: Pick<ClientRow, "id">, kind: string): Promise<Checks> {
  const row = await requireIntegration(client.id, kind);
  if (unsealCredentials(row) === null)
    return { ok: false, checks: [buildCheck("Credentials", false, { reason: "credentials_unreadable" })] };
  const check = checks[row.type] as (integration: IntegrationWithSecrets<KindName>) => Promise<Check[]>;
  const results = await check(withSecrets(row, row.type)).catch(async (error: unknown) => {
    if (error instanceof AppError) await recordTestResult(client.id, row.type, encodeError(error));
    throw error;
  });
  const failed = results.find(({ ok }) => !ok);
  await recordTestResult(client.id, row.type, failed ? checkNotice(failed) : null);
  return { ok: !failed, checks: results };
}
