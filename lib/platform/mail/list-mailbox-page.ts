import { pool } from "@/lib/platform/db/pool";
import { statementName } from "@/lib/platform/db/statement-name";
import { decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { emailKey } from "@/lib/platform/secrets/person-hash";

const PAGE = 50;

/** A stored email as a line of the mailbox, without its body. */
export type MailLine = { id: string; to: string; subject: string; client_id: string | null; created_at: string };

/**
 * A page of the stored emails, newest first, with `to` only those to one address (any spelling). `next` is the cursor
 * of the following page. For operators only. Throws `invalid_cursor`.
 */
export async function listMailboxPage({
  to,
  after,
}: {
  to?: string;
  after?: string;
}): Promise<{ mails: MailLine[]; next: string | null }> {
  const cursor = after === undefined ? null : decodeCursor(after, "mails.newest", ["time", "text"]);
  const address = to?.trim() ? emailKey(to) : null;
  const values: unknown[] = [PAGE + 1];
  const value = (given: unknown) => `$${values.push(given)}`;
  const where = ["status = 'kept'"];
  if (address !== null) where.push(`to_key = ${value(address)}`);
  if (cursor) where.push(`(created_at, id) < (${value(cursor.key[0])}::timestamptz, ${value(cursor.key[1])})`);
  const text = `select id, "to", subject, client_id, created_at from mails where ${where.join(" and ")}
                 order by created_at desc, id desc limit $1`;
  const { rows } = await pool().query<Omit<MailLine, "created_at"> & { created_at: Date }>({
    name: statementName(text),
    text,
    values,
  });
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    mails: shown.map((row) => ({ ...row, created_at: toIsoSeconds(row.created_at) })),
    next:
      rows.length > PAGE && last
        ? encodeCursor({ order: "mails.newest", key: [last.created_at.toISOString(), last.id], startedAt: null })
        : null,
  };
}
