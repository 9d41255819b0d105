import type { AuditRecord } from "@/lib/accounts/record-audit";
import { readClient } from "@/lib/accounts/stores/get-client";
import type { ClientSettings } from "@/lib/accounts/stores/settings";
import type { TemplateLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import { getVersion } from "@/lib/invitations/template-blocks/versions";
import { withTemplateTexts } from "@/lib/invitations/template-blocks/with-blocks";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { setClient } from "@/lib/settings/set-client";

/**
 * Restores a version of a client's email template, as a new version. The texts are those of then, also if the blocks
 * would be compiled differently now. Throws `not_found`; `conflict` if the settings no longer have the given version;
 * `invalid_field` if the texts are no longer valid with the other settings. Returns the settings' new version.
 */
export async function restoreTemplate(
  clientId: string,
  of: { language: TemplateLanguage; version: number },
  settingsVersion: number,
  actor: AuditRecord["actor"],
): Promise<number> {
  const { subject, html_template, text_template, blocks } = await getVersion(clientId, of);
  const client = await readClient(pool(), clientId);
  if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  const texts = {
    subject: subject ?? undefined,
    html_template: html_template ?? undefined,
    text_template: text_template ?? undefined,
  };
  const config = withTemplateTexts(client.config as ClientSettings["config"], of.language, texts);
  return setClient(clientId, { config }, actor, settingsVersion, {
    compiledFrom: blocks ? { [of.language]: blocks } : {},
  });
}
