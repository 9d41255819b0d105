import type { Actor } from "@/lib/accounts/actor";
import { type AuditDetail, recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { AuditAction } from "@/lib/accounts/values";
import { dueNow } from "@/lib/integrations/engagement/due-now";
import type { IntegrationKind } from "@/lib/integrations/kind";
import { type KindName, kinds } from "@/lib/integrations/kinds";
import { laneOf } from "@/lib/integrations/lane";
import {
  holdIntegration,
  type IntegrationRow,
  knownIntegration,
  sealedSecrets,
  secretsOf,
  selectIntegration,
  toIntegration,
} from "@/lib/integrations/rows";
import { isSameServer, neededSecrets } from "@/lib/integrations/rules";
import type { Integration, IntegrationInput } from "@/lib/integrations/schema";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { refuseInternal } from "@/lib/platform/http/guarded-fetch";
import type { Issue } from "@/lib/platform/issue";
import { forgetJobFailures } from "@/lib/platform/jobs/job-failures";
import { enqueue, wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";

type Client = Pick<ClientRow, "id">;
type By = Pick<Actor, "kind" | "id">;

/** Connects a client with another system. Throws `conflict` where it is already, `invalid_field` where something lacks. */
export async function createIntegration(actor: By, client: Client, input: IntegrationInput): Promise<Integration> {
  await judged(input);
  const row = await transaction(async (db) => {
    const secrets = wholeSecrets(input, {});
    const { rowCount } = await db.query(
      `insert into integrations (client_id, type, settings, secrets) values ($1, $2, $3, $4) on conflict do nothing`,
      [client.id, input.kind, JSON.stringify(input.settings), sealedSecrets(secrets)],
    );
    if (rowCount === 0) throw new AppError("conflict", { reason: "integration_exists" });
    await note(db, actor, client, "integration.created", input.kind, {
      secrets: Object.keys(input.secrets),
    });
    return knownIntegration(client.id, input.kind, db);
  });
  return toIntegration(row);
}

/**
 * Changes settings or credentials. What kept it from working is taken as mended: it is tried again. Throws `not_found`,
 * `conflict` where another version than the one given is there by now, and `invalid_field` where the settings lead to another server and kept credentials would be sent there.
 */
export async function changeIntegration(
  actor: By,
  client: Client,
  kind: string,
  input: IntegrationInput,
): Promise<Integration> {
  if (input.kind !== kind && (await selectIntegration(client.id, kind)))
    throw new AppError("invalid_field", { reason: "other_kind_in_body", field: "kind" });
  await judged(input, await knownIntegration(client.id, kind));
  const row = await transaction(async (db) => {
    const before = await holdIntegration(client.id, kind, db);
    if (input.version !== undefined && input.version !== before.version)
      throw new AppError("conflict", { reason: "connection_changed" });
    const secrets = wholeSecrets(input, (sameServer(input, before) && secretsOf(before)) || {});
    await db.query(
      `update integrations set settings = $3, secrets = $4, error = null, state = state - 'warning', version = version + 1,
              updated_at = now()
        where client_id = $1 and type = $2`,
      [client.id, kind, JSON.stringify(input.settings), sealedSecrets(secrets)],
    );
    await note(db, actor, client, "integration.updated", kind, {
      secrets: Object.keys(input.secrets),
    });
    return knownIntegration(client.id, kind, db);
  });
  return toIntegration(row);
}

/** Takes the connection away, with its credentials, runs and settings. What came by it stays. Throws `not_found`. */
export async function removeIntegration(actor: By, client: Client, kind: string): Promise<void> {
  await transaction(async (db) => {
    await holdIntegration(client.id, kind, db);
    await db.query("delete from integrations where client_id = $1 and type = $2", [client.id, kind]);
    await forgetJobFailures(db, client.id, kind);
    await note(db, actor, client, "integration.removed", kind, {});
  });
}

/** Has an integration wait, or go on at once. What is due is kept meanwhile. Twice the same changes nothing. Throws `not_found`. */
export async function switchIntegration(
  actor: By,
  client: Client,
  kind: string,
  enabled: boolean,
): Promise<Integration> {
  const row = await transaction(async (db) => {
    const before = await holdIntegration(client.id, kind, db);
    if (before.enabled === enabled && (!enabled || before.error === null)) return before;
    await db.query(
      `update integrations set enabled = $3, error = case when $3 then null else error end, updated_at = now()
        where client_id = $1 and type = $2`,
      [client.id, kind, enabled],
    );
    await note(db, actor, client, enabled ? "integration.resumed" : "integration.paused", kind, {});
    if (enabled) await goOn(db, client.id, before.type);
    return knownIntegration(client.id, kind, db);
  });
  if (enabled) wakeRelay();
  return toIntegration(row);
}

/** The next slot would come minutes later. */
const goOn = (db: Db, clientId: string, kind: KindName): Promise<void> =>
  kind === "engagement"
    ? dueNow(db, clientId)
    : enqueue(db, [{ name: "integration/due", data: { client_id: clientId, kind, lane: laneOf(clientId, kind) } }]);

/** A new address is looked at before anything is kept: one that leads inside is refused while a person sees it. */
async function judged(input: IntegrationInput, before?: IntegrationRow): Promise<void> {
  const kind: IntegrationKind = kinds[input.kind];
  const address = kind.addressOf(input.settings, input.secrets);
  if (address === null || (before && kind.addressOf(kind.settings.parse(before.settings), {}) === address)) return;
  await refuseInternal(address, "settings").catch((error: unknown) => {
    throw named(error, input, address);
  });
}

/** The issue at the member that holds the address. */
function named(error: unknown, { kind, settings }: IntegrationInput, address: string): unknown {
  if (!(error instanceof AppError)) return error;
  const { addressField }: IntegrationKind = kinds[kind];
  const member = Object.entries(settings).find(([, value]) => value === address)?.[0];
  const field = addressField ?? `settings${member ? `.${member}` : ""}`;
  return new AppError(error.code, { issues: error.issues.map((issue) => ({ ...issue, field })) });
}

const sameServer = ({ kind, settings }: IntegrationInput, before: IntegrationRow): boolean =>
  isSameServer(kind, settings, kinds[kind].settings.parse(before.settings));

/** What is kept from now on: given ones over earlier ones, only those that these settings need. Throws `invalid_field`. */
function wholeSecrets(input: IntegrationInput, before: Record<string, unknown>): Record<string, unknown> {
  const all: Record<string, unknown> = { ...before, ...input.secrets };
  const needed = neededSecrets(input.kind, input.settings);
  throwIssues(
    needed
      .filter((name) => typeof all[name] !== "string")
      .map((name): Issue => ({ reason: "required", field: `secrets.${name}` })),
  );
  return Object.fromEntries(needed.map((name) => [name, all[name]]));
}

const note = (
  db: Db,
  actor: By,
  client: Client,
  action: AuditAction,
  kind: string,
  detail: AuditDetail,
): Promise<void> => recordAudit(db, { clientId: client.id, actor, action, subject: kind, detail });
