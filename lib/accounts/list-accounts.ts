import type { AccountLine } from "@/lib/accounts/schema";
import { type ClientRow, timeZoneOf } from "@/lib/clients/get-client";
import { dayIn } from "@/lib/clock";
import { pool } from "@/lib/db/pool";
import { decodeCursor, encodeCursor } from "@/lib/http/page";

const PAGE = 25;
const CLIENTS = 100;
const PEOPLE = 1_000;
const ORDER = "accounts";

type ClientLine = AccountLine["clients"][number];
type Row = Omit<AccountLine, "more" | "clients"> & {
  /** with the mails of the days around: which of them is today is for each client's own calendar to say */
  clients: (Omit<ClientLine, "sent_today"> & Pick<ClientRow, "config"> & { sends: Record<string, number> | null })[];
};

/**
 * A page of all accounts with their clients, by id; with `q` those that bear it in their name or have a client of that id
 * or name. For operators only. Throws `invalid_cursor`.
 */
export async function listAccounts({
  q,
  after,
}: {
  q?: string | undefined;
  after?: string | undefined;
}): Promise<{ accounts: AccountLine[]; next: string | null }> {
  const from = after === undefined ? "" : (decodeCursor(after, ORDER, ["text"]).key[0] ?? "");
  const { rows } = await pool().query<Row>({
    name: "account-page",
    text: `select a.id, a.name, a.demo,
                  (select count(*)::int from (select from users u where u.account_id = a.id limit ${PEOPLE}) p) as people,
                  (select coalesce(jsonb_agg(to_jsonb(c) order by c.id), '[]') from (
                     select c.id, c.display_name, c.send_limit, c.contract_send_limit, c.own_moderation,
                            jsonb_build_object('time_zone', c.config -> 'time_zone') as config,
                            (select jsonb_object_agg(d.day, d.sent) from send_days d where d.client_id = c.id
                                and d.day between $4::date - 1 and $4::date + 1) as sends
                       from clients c where c.account_id = a.id order by c.id limit ${CLIENTS + 1}) c) as clients
             from accounts a
            where a.id > $1 and ($2::text is null or a.name ilike $2 or exists (
                    select from clients c where c.account_id = a.id and (c.id ilike $2 or c.display_name ilike $2)))
            order by a.id limit $3`,
    values: [from, q === undefined ? null : `%${q.replaceAll(/[\\%_]/g, "\\$&")}%`, PAGE + 1, dayIn("UTC")],
  });
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    accounts: shown.map((row) => ({
      ...row,
      clients: row.clients.slice(0, CLIENTS).map(({ config, sends, ...client }) => ({
        ...client,
        sent_today: sends?.[dayIn(timeZoneOf({ config }))] ?? 0,
      })),
      more: row.clients.length > CLIENTS,
    })),
    next: rows.length > PAGE && last ? encodeCursor({ order: ORDER, key: [last.id], began: null }) : null,
  };
}
