import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool, transaction } from "@/lib/platform/db/pool";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { MOST_TEMPLATES, type NewTemplate, type ReplyTemplate } from "@/lib/reviews/replies/schema";

/** A client's texts to reply with, by name. */
export async function listTemplates(client: Pick<ClientRow, "id">): Promise<ReplyTemplate[]> {
  const { rows } = await pool().query<ReplyTemplate>({
    name: "reply-templates",
    text: "select id, name, text from reply_templates where client_id = $1 order by lower(name), name limit $2",
    values: [client.id, MOST_TEMPLATES],
  });
  return rows;
}

/** Keeps a text to reply with, in place of one of the same name. Throws `invalid_field` where there are too many. */
export function saveTemplate(
  actor: Pick<Actor, "id">,
  client: Pick<ClientRow, "id">,
  { name, text }: NewTemplate,
): Promise<{ id: string }> {
  return transaction(async (db) => {
    // Of two at once the second counts the first.
    await db.query("select pg_advisory_xact_lock(hashtextextended($1, 1071))", [client.id]);
    const { rows } = await db.query<{ others: number }>(
      "select count(*)::int as others from reply_templates where client_id = $1 and name <> $2",
      [client.id, name.trim()],
    );
    const tooMany = (rows[0]?.others ?? 0) >= MOST_TEMPLATES;
    throwIssues(tooMany ? [{ field: "name", message: `is one too many: there are ${MOST_TEMPLATES} already` }] : []);
    const { rows: kept } = await db.query<{ id: string }>(
      `insert into reply_templates (client_id, id, name, text, user_id) values ($1, $2, $3, $4, $5)
       on conflict (client_id, name) do update set text = excluded.text, user_id = excluded.user_id returning id`,
      [client.id, newId("tpl"), name.trim(), text.trim(), actor.id],
    );
    return kept[0] as { id: string };
  });
}

/** Removes a text to reply with. Throws `not_found`. */
export async function removeTemplate(client: Pick<ClientRow, "id">, id: string): Promise<undefined> {
  await transaction(async (db) => {
    const { rowCount } = await db.query("delete from reply_templates where client_id = $1 and id = $2", [
      client.id,
      id,
    ]);
    if (rowCount === 0) throw new AppError("not_found", "There is no such template.");
  });
  return undefined;
}
