import { translateNoticeFields } from "@/components/integrations/translate-notices";
import type { testIntegrationContract } from "@/lib/integrations/contract";
import type { Checks, Integration } from "@/lib/integrations/schema";
import { call, loadNoticeTranslator } from "@/lib/platform/http/client";

/** Tests a connection and returns the result in the page's language. */
export async function runConnectionTest(kind: Integration["kind"], clientId: string): Promise<Checks> {
  const { data } = await call<typeof testIntegrationContract>("POST /portal/api/v1/integrations/{kind}/test", {
    params: { kind },
    query: { client_id: clientId },
  });
  const translate = await loadNoticeTranslator(data.checks);
  return { ...data, checks: data.checks.map((check) => translateNoticeFields(check, translate)) };
}
