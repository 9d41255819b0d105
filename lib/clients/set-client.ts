import { type AuditNote, noteAudit } from "@/lib/accounts/note-audit";
import type { ClientRow } from "@/lib/clients/get-client";
import { ClientSettings, settingFaults } from "@/lib/clients/settings";
import { type Db, transaction } from "@/lib/db/pool";
import { AppError, refuseFaults } from "@/lib/errors";
import { validate } from "@/lib/http/validate";
import { templateFaults } from "@/lib/invitations/template-faults";
import { enqueue } from "@/lib/outbox/enqueue";

/** Settings by which the rules judge: when one changes, what waits is judged again. */
const ruling = ["auto_moderate", "rules", "locale"] as const satisfies (keyof ClientSettings)[];

const jsonColumns = new Set(["config", "custom_questions", "rules"]);

/**
 * Changes some settings of a client. Unknown fields, wrong values and combinations that do not hold are all refused at
 * once (`invalid_field`) and nothing changes. Throws `not_found`. With an actor the change is noted in the audit.
 */
export async function setClient(
  id: string,
  changes: Record<string, unknown>,
  actor?: AuditNote["actor"],
): Promise<void> {
  const checked = checkSettings(changes);
  await transaction(async (db) => {
    await setClientWithin(db, id, checked);
    if (actor)
      await noteAudit(db, { clientId: id, actor, action: "client.updated", subject: id, detail: { ...checked } });
  });
}

/** Settings as they may be written, each for itself. Throws as {@link setClient}. */
export function checkSettings(changes: Record<string, unknown>): Partial<ClientSettings> {
  refuseFaults(
    Object.keys(changes)
      .filter((field) => !(field in ClientSettings.shape))
      .map((field) => ({ field, message: "is not a setting of a client" })),
  );
  return validate(ClientSettings.partial(), changes, "invalid_field");
}

/** Writes checked settings in the caller's transaction, if they go together with those that the client has. */
export async function setClientWithin(db: Db, id: string, checked: Partial<ClientSettings>): Promise<void> {
  const { rows } = await db.query<ClientRow>("select * from clients where id = $1 for update", [id]);
  if (!rows[0]) throw new AppError("not_found", `There is no client ${id}.`);
  refuseFaults([
    ...settingFaults({ ...(rows[0] as unknown as ClientSettings), ...checked }, new Set(Object.keys(checked))),
    ...(checked.config ? templateFaults({ ...rows[0], ...checked } as ClientRow) : []),
  ]);
  await writeSettings(db, id, checked);
  const ruled = checked.auto_moderate ?? rows[0].auto_moderate;
  if (ruled && ruling.some((field) => field in checked)) {
    await enqueue(db, [{ name: "moderation/changed", data: { client_id: id } }]);
  }
}

async function writeSettings(db: Db, id: string, settings: Partial<ClientSettings>): Promise<void> {
  const fields = Object.keys(settings);
  if (fields.length === 0) return;
  // Field names come from the schema's own keys, so they are safe to be column names.
  await db.query(
    `update clients set ${fields.map((field, index) => `${field} = $${index + 2}`).join(", ")} where id = $1`,
    [id, ...Object.entries(settings).map(([field, value]) => (jsonColumns.has(field) ? JSON.stringify(value) : value))],
  );
}
