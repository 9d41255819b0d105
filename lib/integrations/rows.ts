import { type KindName, kindNames, kinds, type SecretsOf, type SettingsOf } from "@/lib/integrations/kinds";
import type { Integration } from "@/lib/integrations/schema";
import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { type EncodedNotices, encodeNotices, withNotices } from "@/lib/platform/notices";
import { type SealedColumn, seal, tryUnseal } from "@/lib/platform/secrets/seal";

export type IntegrationRow = {
  client_id: string;
  type: KindName;
  settings: Record<string, unknown>;
  secrets: Buffer | null;
  enabled: boolean;
  version: number;
  state: Record<string, unknown>;
  /** a run was requested recently and hasn't started */
  asked: boolean;
  error: EncodedNotices | null;
  last_run_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

/** A run without activity for this long is considered dead and started again. */
export const STALE_AFTER_MS = 15 * 60_000;

// Request times are set and compared by the database's clock.
const columns = `client_id, type, settings, secrets, enabled, version, state, error, last_run_at, created_at, updated_at,
  coalesce((state->>'asked_at')::float8 > extract(epoch from clock_timestamp()) * 1000 - ${STALE_AFTER_MS}, false) as asked`;

/** A client's integrations, in the order of the kinds. */
export async function selectIntegrations(clientId: string, db: Db = pool()): Promise<IntegrationRow[]> {
  const text = `select ${columns} from integrations where client_id = $1 and type = any($2)
                 order by array_position($2, type)`;
  return (await db.query<IntegrationRow>(text, [clientId, kindNames])).rows;
}

export async function selectIntegration(
  clientId: string,
  kind: string,
  db: Db = pool(),
): Promise<IntegrationRow | null> {
  const text = `select ${columns} from integrations where client_id = $1 and type = $2`;
  return isKind(kind) ? ((await db.query<IntegrationRow>(text, [clientId, kind])).rows[0] ?? null) : null;
}

export const isKind = (kind: string): kind is KindName => Object.hasOwn(kinds, kind);

/** Throws `not_found`. */
export async function requireIntegration(clientId: string, kind: string, db: Db = pool()): Promise<IntegrationRow> {
  const row = await selectIntegration(clientId, kind, db);
  if (!row) throw new AppError("not_found", { reason: "integration_not_found" });
  return row;
}

/** Locks the integration until the transaction ends. Throws `not_found`. */
export async function lockIntegration(clientId: string, kind: string, db: Db): Promise<IntegrationRow> {
  await db.query("select from integrations where client_id = $1 and type = $2 for update", [clientId, kind]);
  return requireIntegration(clientId, kind, db);
}

/** Whether a run is in progress, or was requested and is about to start. */
export function isRunning({ type, state, asked }: Pick<IntegrationRow, "type" | "state" | "asked">): boolean {
  const { active_at } = (state[type] ?? {}) as { active_at?: unknown };
  return asked || (typeof active_at === "number" && now().getTime() - active_at < STALE_AFTER_MS);
}

const PURPOSE = "integrations/1";
export const sealedColumns: SealedColumn[] = [
  {
    table: "integrations",
    key: ["client_id", "type"],
    column: "secrets",
    purpose: PURPOSE,
  },
];

export const sealCredentials = (secrets: Record<string, unknown>): Buffer => seal(PURPOSE, JSON.stringify(secrets));

/**
 * The secrets, for requests to the other system only; never store, show or log them. Null if the installation's secret
 * changed since they were saved.
 */
export function unsealCredentials({ secrets }: Pick<IntegrationRow, "secrets">): Record<string, unknown> | null {
  if (secrets === null) return {};
  const text = tryUnseal(PURPOSE, secrets);
  return text === null ? null : JSON.parse(text);
}

/** Error if {@link unsealCredentials} returns null. */
export const CREDENTIALS_UNREADABLE = encodeNotices({ reason: "credentials_unreadable" });

/** An integration with unsealed secrets, for its worker. */
export type IntegrationWithSecrets<K extends KindName> = {
  clientId: string;
  enabled: boolean;
  settings: SettingsOf<K>;
  secrets: SecretsOf<K>;
  /** the worker's state between runs */
  state: Record<string, unknown>;
};

/** An integration without secrets, available even if they are unreadable. */
export type IntegrationConfig<K extends KindName> = Omit<IntegrationWithSecrets<K>, "secrets">;

export async function readIntegration<K extends KindName>(
  clientId: string,
  kind: K,
): Promise<IntegrationConfig<K> | null> {
  const row = await selectIntegration(clientId, kind);
  return row && toConfig(row, kind);
}

export const toConfig = <K extends KindName>(row: IntegrationRow, kind: K): IntegrationConfig<K> => ({
  clientId: row.client_id,
  enabled: row.enabled,
  settings: kinds[kind].settings.parse(row.settings) as SettingsOf<K>,
  state: row.state,
});

/** A client's integration with secrets; null if there is none. Throws `conflict` if its credentials are unreadable. */
export async function readIntegrationWithSecrets<K extends KindName>(
  clientId: string,
  kind: K,
): Promise<IntegrationWithSecrets<K> | null> {
  const row = await selectIntegration(clientId, kind);
  return row && withSecrets(row, kind);
}

export function withSecrets<K extends KindName>(row: IntegrationRow, kind: K): IntegrationWithSecrets<K> {
  const secrets = unsealCredentials(row);
  if (secrets === null) throw new AppError("conflict", { reason: "credentials_unreadable" });
  return { ...toConfig(row, kind), secrets: secrets as SecretsOf<K> };
}

/** Error of the last connection test, until a test or a run succeeds. */
const testError = ({ state }: IntegrationRow): string | null =>
  typeof state.test_error === "string" ? state.test_error : null;

export function toIntegration(row: IntegrationRow): Integration {
  const secrets = unsealCredentials(row);
  const error = secrets === null ? CREDENTIALS_UNREADABLE : (row.error ?? testError(row));
  const integration = {
    kind: row.type,
    settings: row.settings,
    secrets: Object.keys(secrets ?? {}),
    version: row.version,
    state: !row.enabled ? "paused" : error === null ? "active" : "failing",
    error,
    warning: typeof row.state.warning === "string" ? row.state.warning : null,
    running: isRunning(row),
    // If the catalog is no longer imported, no deletions wait for confirmation.
    deletions_held: row.state.deletions_held === true && row.settings.catalogue === true,
    last_run_at: row.last_run_at && toIsoSeconds(row.last_run_at),
    created_at: toIsoSeconds(row.created_at),
    updated_at: toIsoSeconds(row.updated_at),
  } satisfies Integration;
  return withNotices(integration, "error", "warning");
}
