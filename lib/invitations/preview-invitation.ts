import { checkSettings } from "@/lib/accounts/stores/check-settings";
import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import type { ClientSettings } from "@/lib/accounts/stores/settings";
import type { BlocksByLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import { type InvitationItem, type Recipient, renderInvitation } from "@/lib/invitations/render-invitation";
import { sampleItems, sampleRecipient } from "@/lib/invitations/sample";
import type { MailPreview } from "@/lib/invitations/schema";
import { allBlockIssues, withBlocks } from "@/lib/invitations/template-blocks/with-blocks";
import { templateIssues, unknownVariables } from "@/lib/invitations/template-issues";
import { pool } from "@/lib/platform/db/pool";
import { AppError, toPublicIssue } from "@/lib/platform/errors";
import type { Issue } from "@/lib/platform/issue";
import { selectSampleItems } from "./sql";

/** What to preview. `config` and `blocks` replace the client's own: an editor's unsaved settings. */
export type PreviewOptions = {
  lang?: string | undefined;
  kind?: "invitation" | "reminder" | "seller";
  config?: Record<string, unknown> | undefined;
  blocks?: BlocksByLanguage | undefined;
};

/**
 * Renders the invitation as a customer would get it, with products of the client's catalog and a sample person.
 * Read-only; its links lead nowhere. Throws `not_found`, and `invalid_field` for a `config` of the wrong shape.
 */
export async function previewInvitation(clientId: string, of: PreviewOptions = {}): Promise<MailPreview> {
  const client = await getPreviewedClient(clientId, of);
  const issues = await previewIssues(client, of);
  const unknown = issues.length > 0 ? [] : await unknownVariables(client);
  return { ...(await renderSample(client, of, {})), issues: issues.map(toPublicIssue), unknown };
}

/** The client with the unsaved settings. Throws `not_found`, and `invalid_field` for a `config` of the wrong shape. */
export async function getPreviewedClient(
  clientId: string,
  { config, blocks = {} }: Pick<PreviewOptions, "config" | "blocks">,
): Promise<ClientRow> {
  const client = await readClient(pool(), clientId);
  if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  const given = config ? checkSettings({ config }).config : undefined;
  if (Object.keys(blocks).length === 0) return given ? ({ ...client, config: given } as ClientRow) : client;
  const compiled = withBlocks(given ?? (client.config as ClientSettings["config"]), blocks);
  return { ...client, ...checkSettings({ config: compiled }) } as ClientRow;
}

/** Why the templates can't be saved. What is missing in blocks is only reported there, not also in their HTML. */
export async function previewIssues(client: ClientRow, { blocks = {} }: PreviewOptions): Promise<Issue[]> {
  const missing = allBlockIssues(blocks);
  return missing.length > 0 ? missing : templateIssues(client);
}

/** Renders a sample email of the client to a recipient, with products of its catalog if there are any. */
export async function renderSample(
  client: ClientRow,
  { lang, kind = "invitation" }: PreviewOptions,
  to: Partial<Recipient>,
) {
  const catalogItems = kind === "seller" ? [] : await selectSampleItems(pool(), client.id, 3);
  const items: InvitationItem[] = kind === "seller" ? [] : catalogItems.length > 0 ? catalogItems : sampleItems(2);
  const recipient = {
    ...sampleRecipient(client, lang ?? null),
    ...to,
    reminder: kind === "reminder",
  };
  return renderInvitation(client, recipient, items, "trials");
}
