import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { checkOf, keptOf } from "@/lib/integrations/check-of";
import { checks } from "@/lib/integrations/checks";
import type { KindName } from "@/lib/integrations/kinds";
import { recordTest } from "@/lib/integrations/record-run";
import { knownIntegration, type Opened, opened, secretsOf } from "@/lib/integrations/rows";
import type { Check, Checks } from "@/lib/integrations/schema";
import { AppError } from "@/lib/platform/errors";
import { keepError } from "@/lib/platform/notices";

/**
 * Tries the connection of an integration. Writes nothing there. What fails counts as failing until a test or a run succeeds.
 * Throws `not_found`.
 */
export async function testIntegration(client: Pick<ClientRow, "id">, kind: string): Promise<Checks> {
  const row = await knownIntegration(client.id, kind);
  if (secretsOf(row) === null)
    return { ok: false, checks: [checkOf("Credentials", false, { reason: "credentials_unreadable" })] };
  const check = checks[row.type] as (integration: Opened<KindName>) => Promise<Check[]>;
  const found = await check(opened(row, row.type)).catch(async (error: unknown) => {
    if (error instanceof AppError) await recordTest(client.id, row.type, keepError(error));
    throw error;
  });
  const failed = found.find(({ ok }) => !ok);
  await recordTest(client.id, row.type, failed ? keptOf(failed) : null);
  return { ok: !failed, checks: found };
}
