import type { AccountLine } from "@/lib/accounts/schema";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { cutPage, decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";

const PAGE = 25;
const MAX_CLIENTS = 100;
const MAX_PEOPLE = 1_000;
/** Most accounts scanned for one page of a search: no index supports substrings of names. */
const MAX_SCANNED = 5_000;
const ORDER = "accounts";

type ClientLine = AccountLine["clients"][number];
type Row = Omit<AccountLine, "more" | "clients"> & {
  /** with the emails of the days around now: which of them is today depends on the client's time zone */
  clients: (Omit<ClientLine, "sent_today"> & Pick<ClientRow, "config"> & { sends: Record<string, number> | null })[];
  hit: boolean;
  /** the last scanned account, if more may follow */
  edge: boolean;
};

/**
 * A page of all accounts with their clients, by id. `q` filters by account name, client id or client name; a page scans
 * at most {@link MAX_SCANNED} accounts, so it may hold few or none and still have a next one. Operators only. Throws
 * `invalid_cursor`.
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
    text: `select a.id, a.name, a.demo, a.hit, a.edge,
                  (select count(*)::int from (select from users u where u.account_id = a.id limit ${MAX_PEOPLE}) p) as people,
                  (select coalesce(jsonb_agg(to_jsonb(c) order by c.id), '[]') from (
                     select c.id, c.display_name, c.send_limit, c.contract_send_limit, c.own_moderation,
                            c.test_days is not null as test,
                            jsonb_build_object('time_zone', c.config -> 'time_zone') as config,
                            (select jsonb_object_agg(d.day, d.sent) from send_days d where d.client_id = c.id
                                and d.day between $3::date - 1 and $3::date + 1) as sends
                       from clients c where c.account_id = a.id order by c.id limit ${MAX_CLIENTS + 1}) c) as clients
             from (select looked.*, row_number() over (order by id) = $4 as edge,
                          -- Not as exists, which PostgreSQL may answer by reading all clients.
                          $2::text is null or name ilike $2 or coalesce((
                            select bool_or(c.id ilike $2 or c.display_name ilike $2) from clients c
                             where c.account_id = looked.id), false) as hit
                     from (select id, name, demo from accounts where id > $1 order by id limit $4) looked) a
            where a.hit or a.edge order by a.id limit ${PAGE + 2}`,
    values: [
      from,
      q === undefined ? null : `%${q.replaceAll(/[\\%_]/g, "\\$&")}%`,
      dayIn("UTC"),
      q === undefined ? PAGE + 1 : MAX_SCANNED,
    ],
  });
  const { shown, last } = cutPage(rows, PAGE, { hit: ({ hit }) => hit, edge: ({ edge }) => edge });
  return {
    accounts: shown.map(({ hit: _, edge: __, ...row }) => ({
      ...row,
      clients: row.clients.slice(0, MAX_CLIENTS).map(({ config, sends, ...client }) => ({
        ...client,
        sent_today: sends?.[dayIn(timeZoneOf({ config }))] ?? 0,
      })),
      more: row.clients.length > MAX_CLIENTS,
    })),
    next: last ? encodeCursor({ order: ORDER, key: [last.id], startedAt: null }) : null,
  };
}
