import type { ClientRow } from "@/lib/clients/get-client";
import { checks } from "@/lib/integrations/checks";
import type { KindName } from "@/lib/integrations/kinds";
import { knownIntegration, type Opened, opened, secretsOf, toIntegration } from "@/lib/integrations/rows";
import type { Check, Checks } from "@/lib/integrations/schema";

/** Tries the connection of an integration. Writes nothing there. Throws `not_found`. */
export async function testIntegration(client: Pick<ClientRow, "id">, kind: string): Promise<Checks> {
  const row = await knownIntegration(client.id, kind);
  const { error } = toIntegration(row);
  if (secretsOf(row) === null) return { ok: false, checks: [{ name: "Credentials", ok: false, message: error ?? "" }] };
  const check = checks[row.type] as (integration: Opened<KindName>) => Promise<Check[]>;
  const found = await check(opened(row, row.type));
  return { ok: found.every(({ ok }) => ok), checks: found };
}
