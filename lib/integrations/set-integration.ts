import type { Actor } from "@/lib/accounts/actor";
import { type AuditDetail, recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { AuditAction } from "@/lib/accounts/values";
import { enqueueEngagementDelivery } from "@/lib/integrations/engagement/enqueue-delivery";
import type { IntegrationKind } from "@/lib/integrations/kind";
import { type KindName, kinds } from "@/lib/integrations/kinds";
import {
  type IntegrationRow,
  lockIntegration,
  requireIntegration,
  sealCredentials,
  selectIntegration,
  toIntegration,
  unsealCredentials,
} from "@/lib/integrations/rows";
import { isSameServer, requiredSecretNames } from "@/lib/integrations/rules";
import type { Integration, IntegrationInput } from "@/lib/integrations/schema";
import { integrationLane } from "@/lib/integrations/sync-lane";
import { type Db, transaction } from "@/lib/platform/db/pool";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { rejectInternalAddress } from "@/lib/platform/http/guarded-fetch";
import type { Issue } from "@/lib/platform/issue";
import { deleteJobFailures } from "@/lib/platform/jobs/job-failures";
import { enqueue, wakeRelay } from "@/lib/platform/jobs/outbox/enqueue";

type Client = Pick<ClientRow, "id">;
type ActorRef = Pick<Actor, "kind" | "id">;

/**
 * Connects a client to another system. Throws `conflict` if it's already connected, `invalid_field` if something is
 * missing.
 */
export async function createIntegration(
  actor: ActorRef,
  client: Client,
  input: IntegrationInput,
): Promise<Integration> {
  await refuseInternalServer(input);
  const row = await transaction(async (db) => {
    const secrets = mergeSecrets(input, {});
    const { rowCount } = await db.query(
      `insert into integrations (client_id, type, settings, secrets) values ($1, $2, $3, $4) on conflict do nothing`,
      [client.id, input.kind, JSON.stringify(input.settings), sealCredentials(secrets)],
    );
    if (rowCount === 0) throw new AppError("conflict", { reason: "integration_exists" });
    await audit(db, actor, client, "integration.created", input.kind, {
      secrets: Object.keys(input.secrets),
    });
    return requireIntegration(client.id, input.kind, db);
  });
  return toIntegration(row);
}

/**
 * Changes settings or credentials and resets errors. Throws `not_found`, `conflict` if `version` is outdated, and
 * `invalid_field` if the settings point to another server without new credentials.
 */
export async function changeIntegration(
  actor: ActorRef,
  client: Client,
  kind: string,
  input: IntegrationInput,
): Promise<Integration> {
  if (input.kind !== kind && (await selectIntegration(client.id, kind)))
    throw new AppError("invalid_field", { reason: "other_kind_in_body", field: "kind" });
  await refuseInternalServer(input, await requireIntegration(client.id, kind));
  const row = await transaction(async (db) => {
    const before = await lockIntegration(client.id, kind, db);
    if (input.version !== undefined && input.version !== before.version)
      throw new AppError("conflict", { reason: "connection_changed" });
    const secrets = mergeSecrets(input, (sameServer(input, before) && unsealCredentials(before)) || {});
    await db.query(
      `update integrations set settings = $3, secrets = $4, error = null, state = state - 'warning', version = version + 1,
              updated_at = now()
        where client_id = $1 and type = $2`,
      [client.id, kind, JSON.stringify(input.settings), sealCredentials(secrets)],
    );
    await audit(db, actor, client, "integration.updated", kind, {
      secrets: Object.keys(input.secrets),
    });
    return requireIntegration(client.id, kind, db);
  });
  return toIntegration(row);
}

/**
 * Disconnects an integration and deletes its credentials, runs and settings. Imported data stays. Throws `not_found`.
 */
export async function removeIntegration(actor: ActorRef, client: Client, kind: string): Promise<void> {
  await transaction(async (db) => {
    await lockIntegration(client.id, kind, db);
    await db.query("delete from integrations where client_id = $1 and type = $2", [client.id, kind]);
    await deleteJobFailures(db, client.id, kind);
    await audit(db, actor, client, "integration.removed", kind, {});
  });
}

/** Pauses or resumes an integration. Keeps pending deliveries. Idempotent. Throws `not_found`. */
export async function switchIntegration(
  actor: ActorRef,
  client: Client,
  kind: string,
  enabled: boolean,
): Promise<Integration> {
  const row = await transaction(async (db) => {
    const before = await lockIntegration(client.id, kind, db);
    if (before.enabled === enabled && (!enabled || before.error === null)) return before;
    await db.query(
      `update integrations set enabled = $3, error = case when $3 then null else error end, updated_at = now()
        where client_id = $1 and type = $2`,
      [client.id, kind, enabled],
    );
    await audit(db, actor, client, enabled ? "integration.resumed" : "integration.paused", kind, {});
    if (enabled) await enqueueSync(db, client.id, before.type);
    return requireIntegration(client.id, kind, db);
  });
  if (enabled) wakeRelay();
  return toIntegration(row);
}

/** Otherwise the sync would wait for the next scheduled run. */
const enqueueSync = (db: Db, clientId: string, kind: KindName): Promise<void> =>
  kind === "engagement"
    ? enqueueEngagementDelivery(db, clientId)
    : enqueue(db, [
        { name: "integration/due", data: { client_id: clientId, kind, lane: integrationLane(clientId, kind) } },
      ]);

/** Checks a changed address before saving, so that a person sees the rejection of an internal one. */
async function refuseInternalServer(input: IntegrationInput, before?: IntegrationRow): Promise<void> {
  const kind: IntegrationKind = kinds[input.kind];
  const address = kind.addressOf(input.settings, input.secrets);
  if (address === null || (before && kind.addressOf(kind.settings.parse(before.settings), {}) === address)) return;
  await rejectInternalAddress(address, "settings").catch((error: unknown) => {
    throw withAddressField(error, input, address);
  });
}

/** Moves issues to the field with the address. */
function withAddressField(error: unknown, { kind, settings }: IntegrationInput, address: string): unknown {
  if (!(error instanceof AppError)) return error;
  const { addressField }: IntegrationKind = kinds[kind];
  const member = Object.entries(settings).find(([, value]) => value === address)?.[0];
  const field = addressField ?? `settings${member ? `.${member}` : ""}`;
  return new AppError(error.code, { issues: error.issues.map((issue) => ({ ...issue, field })) });
}

const sameServer = ({ kind, settings }: IntegrationInput, before: IntegrationRow): boolean =>
  isSameServer(kind, settings, kinds[kind].settings.parse(before.settings));

/**
 * The secrets to store: new ones over existing ones, only those that these settings require. Throws `invalid_field`.
 */
function mergeSecrets(input: IntegrationInput, before: Record<string, unknown>): Record<string, unknown> {
  const all: Record<string, unknown> = { ...before, ...input.secrets };
  const needed = requiredSecretNames(input.kind, input.settings);
  throwIssues(
    needed
      .filter((name) => typeof all[name] !== "string")
      .map((name): Issue => ({ reason: "required", field: `secrets.${name}` })),
  );
  return Object.fromEntries(needed.map((name) => [name, all[name]]));
}

const audit = (
  db: Db,
  actor: ActorRef,
  client: Client,
  action: AuditAction,
  kind: string,
  detail: AuditDetail,
): Promise<void> => recordAudit(db, { clientId: client.id, actor, action, subject: kind, detail });
