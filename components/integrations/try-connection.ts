import { translateTrouble } from "@/components/integrations/translate-trouble";
import type { testIntegrationContract } from "@/lib/integrations/contract";
import type { Checks, Integration } from "@/lib/integrations/schema";
import { call, noticeTexts } from "@/lib/platform/http/client";

/** Has a connection tried, and says what was found in the language of the page. */
export async function tryConnection(kind: Integration["kind"], clientId: string): Promise<Checks> {
  const { data } = await call<typeof testIntegrationContract>("POST /portal/api/v1/integrations/{kind}/test", {
    params: { kind },
    query: { client_id: clientId },
  });
  const say = await noticeTexts(data.checks);
  return { ...data, checks: data.checks.map((check) => translateTrouble(check, say)) };
}
