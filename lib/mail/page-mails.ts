import { pool } from "@/lib/db/pool";
import { decodeCursor, encodeCursor } from "@/lib/http/page";
import { seconds } from "@/lib/http/seconds";
import { emailKey } from "@/lib/personal-data/person-hash";

const PAGE = 50;

/** A kept mail as a line of the mailbox, without its body. */
export type MailLine = { id: string; to: string; subject: string; client_id: string | null; created_at: string };

/**
 * A page of the kept mails, newest first, only those to one address (any spelling) with `to`. `next` is the cursor of
 * the following page. For operators only. Throws `invalid_cursor`.
 */
export async function pageMails({
  to,
  after,
}: {
  to?: string;
  after?: string;
}): Promise<{ mails: MailLine[]; next: string | null }> {
  const cursor = after === undefined ? null : decodeCursor(after, "mails.newest", ["time", "text"]);
  const address = to?.trim() ? emailKey(to) : null;
  const { rows } = await pool().query<Omit<MailLine, "created_at"> & { created_at: Date }>({
    name: "mail-page",
    text: `select id, "to", subject, client_id, created_at from mails
            where status = 'kept' and ($1::text is null or to_key = $1)
              and ($2::timestamptz is null or (created_at, id) < ($2, $3))
            order by created_at desc, id desc limit $4`,
    values: [address, cursor?.key[0] ?? null, cursor?.key[1] ?? null, PAGE + 1],
  });
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    mails: shown.map((row) => ({ ...row, created_at: seconds(row.created_at) })),
    next:
      rows.length > PAGE && last
        ? encodeCursor({ order: "mails.newest", key: [last.created_at.toISOString(), last.id], began: null })
        : null,
  };
}
