import { isDeepStrictEqual } from "node:util";
import { type AuditRecord, recordAudit } from "@/lib/accounts/record-audit";
import { checkSettings } from "@/lib/accounts/stores/check-settings";
import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import { type ClientSettings, settingIssues } from "@/lib/accounts/stores/settings";
import type { BlocksByLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import { timeZoneIssues } from "@/lib/accounts/stores/time-zone-issues";
import { publicSettings } from "@/lib/honesty/public-settings";
import { recordFact } from "@/lib/honesty/record-fact";
import { recordVersions } from "@/lib/invitations/template-blocks/versions";
import { allBlockIssues, withBlocks } from "@/lib/invitations/template-blocks/with-blocks";
import { templateIssues } from "@/lib/invitations/template-issues";
import { dropCached } from "@/lib/platform/db/cache";
import { type Db, pool, transaction } from "@/lib/platform/db/pool";
import { AppError, throwIssues } from "@/lib/platform/errors";
import type { Issue } from "@/lib/platform/issue";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";

/** Settings that affect the rules: if one changes, pending items are validated again. */
const ruleFields = ["auto_moderate", "rules", "locale"] as const satisfies (keyof ClientSettings)[];

const jsonColumns = new Set(["config", "custom_questions", "rules"]);

/** Blocks of email templates to save with the settings. */
type GivenBlocks = {
  /** templates to compile, which replace those of the settings */
  blocks?: BlocksByLanguage | undefined;
  /** blocks that templates of the settings were compiled from earlier */
  compiledFrom?: BlocksByLanguage;
};

/**
 * Changes some settings of a client. Unknown fields, invalid values and invalid combinations are all reported together
 * (`invalid_field`), and nothing changes. Throws `not_found`; `conflict` if the settings no longer have the given
 * version. With an actor, records the actual changes in the audit log. Returns the settings' new version.
 */
export async function setClient(
  id: string,
  changes: Record<string, unknown>,
  actor?: AuditRecord["actor"],
  version?: number,
  { blocks = {}, compiledFrom = {} }: GivenBlocks = {},
): Promise<number> {
  const given = checkSettings(changes);
  throwIssues(allBlockIssues(blocks));
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const checked = await compileInto(id, given, blocks);
    const validated = await validateTemplates(pool(), id, checked);
    const written = await transaction(async (db) => {
      const done = await setClientWithin(db, id, checked, {
        version,
        validatedTemplates: validated,
        blocks: { ...compiledFrom, ...blocks },
        actor,
      });
      if (done && actor && Object.keys(done.changed).length > 0)
        await recordAudit(db, {
          clientId: id,
          actor,
          action: "client.updated",
          subject: id,
          detail: done.changed,
        });
      return done;
    });
    if (!written) continue;
    dropCached("client", id);
    return written.version;
  }
  throw new AppError("conflict", { reason: "settings_busy" });
}

/** The settings with templates compiled from blocks, in the given `config` or the client's present one. */
async function compileInto(
  id: string,
  checked: Partial<ClientSettings>,
  blocks: BlocksByLanguage,
): Promise<Partial<ClientSettings>> {
  if (Object.keys(blocks).length === 0) return checked;
  const config = checked.config ?? (await readClient(pool(), id))?.config ?? {};
  return { ...checked, ...checkSettings({ config: withBlocks(config as ClientSettings["config"], blocks) }) };
}

/** Templates are validated against settings that may change meanwhile: how often to start over. */
const MAX_ATTEMPTS = 5;

/** Issues of templates in combination with the client's other settings, at that version. */
export type ValidatedTemplates = { version: number; issues: Issue[] };

/**
 * Validates the given templates before the client's row is locked: it takes a while, and other writers for the client
 * would wait. Null if none are given, or the client is unknown.
 */
export async function validateTemplates(
  db: Db,
  id: string,
  checked: Partial<ClientSettings>,
): Promise<ValidatedTemplates | null> {
  if (!checked.config) return null;
  const row = await readClient(db, id);
  return (
    row && {
      version: row.version,
      issues: await templateIssues({ ...row, ...checked } as ClientRow),
    }
  );
}

type WrittenSettings = { version: number; changed: Partial<ClientSettings> };

type Write = {
  version?: number | undefined;
  validatedTemplates: ValidatedTemplates | null;
  /** what templates were compiled from */
  blocks?: BlocksByLanguage;
  actor?: AuditRecord["actor"] | undefined;
  /** the client was created in this transaction: its log begins with its settings */
  isNew?: boolean;
};

/**
 * Writes validated settings in the caller's transaction, if they are valid together with the client's present ones.
 * Unchanged values aren't written, and changed templates get a new version. The log gets the settings that it has if one
 * of them changed. Returns null, and writes nothing, if the settings changed since the templates were
 * validated.
 */
export async function setClientWithin(
  db: Db,
  id: string,
  checked: Partial<ClientSettings>,
  { version, validatedTemplates, blocks = {}, actor, isNew = false }: Write,
): Promise<WrittenSettings | null> {
  const { rows } = await db.query<ClientRow>("select * from clients where id = $1 for update", [id]);
  const row = rows[0];
  if (!row) throw new AppError("not_found", { reason: "client_not_found", params: { id } });
  if (version !== undefined && version !== row.version) throw new AppError("conflict", { reason: "settings_changed" });
  if (validatedTemplates && validatedTemplates.version !== row.version) return null;
  const zone = checked.config?.time_zone;
  throwIssues([
    ...settingIssues({ ...(row as unknown as ClientSettings), ...checked }, new Set(Object.keys(checked))),
    ...(validatedTemplates?.issues ?? []),
    ...(zone === row.config.time_zone ? [] : await timeZoneIssues(db, zone)),
  ]);
  const changed = Object.fromEntries(
    Object.entries(checked).filter(([field, value]) => !isDeepStrictEqual(value, row[field as keyof ClientRow])),
  ) as Partial<ClientSettings>;
  const now = await writeSettings(db, id, changed);
  const logged = publicSettings({ ...row, ...changed } as ClientRow);
  if (isNew || !isDeepStrictEqual(logged, publicSettings(row)))
    await recordFact(db, id, "settings", { settings: logged });
  if (checked.config) {
    const before = row.config as ClientSettings["config"];
    await recordVersions(db, { clientId: id, before, after: checked.config, blocks, actor });
  }
  if ((checked.auto_moderate ?? row.auto_moderate) && ruleFields.some((field) => field in changed)) {
    await enqueue(db, [{ name: "moderation/changed", data: { client_id: id } }]);
  }
  return { version: now ?? row.version, changed };
}

/** Returns the client's new version; null if there was nothing to write. */
async function writeSettings(db: Db, id: string, settings: Partial<ClientSettings>): Promise<number | null> {
  const fields = Object.keys(settings);
  if (fields.length === 0) return null;
  // Field names come from the schema's own keys, so they are safe to be column names.
  const { rows } = await db.query<{ version: number }>(
    `update clients set ${fields.map((field, index) => `${field} = $${index + 2}`).join(", ")} where id = $1 returning version`,
    [id, ...Object.entries(settings).map(([field, value]) => (jsonColumns.has(field) ? JSON.stringify(value) : value))],
  );
  return rows[0]?.version ?? null;
}
