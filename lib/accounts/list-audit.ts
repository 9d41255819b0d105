import type { Actor } from "@/lib/accounts/actor";
import { isAdminOf, requireRole } from "@/lib/accounts/permissions";
import type { AuditFilter, AuditLine } from "@/lib/accounts/schema";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { cutPage, decodeCursor, nextLink } from "@/lib/platform/http/cursor";
import { bytesOf } from "@/lib/platform/http/reply";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { csvRow } from "@/lib/platform/parsing/csv-cells";

const ORDER = "audit";
const PAGE = 50;
/** Most entries scanned for one page of a filter by action or actor, which no index supports. */
const MAX_SCANNED = 5_000;

type Row = {
  id: string;
  at: Date;
  action: string;
  subject: string | null;
  detail: Record<string, unknown>;
  actor_kind: string;
  actor_id: string | null;
  whole_account: boolean;
  actor_name: string | null;
  subject_name: string | null;
  hit: boolean;
  edge: boolean;
};
type Place = { time: string; id: string } | null;

/** Whether the actor sees account-wide entries of a client's account. */
const seesAccount = (actor: Actor, { account_id }: ClientRow): boolean =>
  actor.clients === "all" || (actor.hasAccountAccess === true && actor.accountId === account_id);

/** A page of a client's audit log, newest first. Throws `invalid_cursor`. */
export async function listAudit(
  actor: Actor,
  client: ClientRow,
  { after, ...filter }: AuditFilter & { after?: string },
  url: URL,
): Promise<{ data: AuditLine[]; links: { next?: string } }> {
  requireRole(actor, "admin");
  const cursor = after === undefined ? null : decodeCursor(after, ORDER, ["time", "text"]);
  const from = cursor ? { time: cursor.key[0] as string, id: cursor.key[1] as string } : null;
  if (from && !/^\d{1,18}$/.test(from.id)) return { data: [], links: {} };
  const { shown, last } = cutPage(await read(actor, client, filter, from, PAGE), PAGE, { hit, edge });
  const next = last && nextLink(env().PUBLIC_URL, url, { order: ORDER, key: keyOf(last), startedAt: null });
  return { data: shown.map((row) => toLine(actor, row)), links: next ? { next } : {} };
}

const CSV_PAGE = 1_000;

/** All matching audit entries as CSV with a header, newest first, read page by page while it's sent. */
export function auditCsv(
  actor: Actor,
  client: ClientRow,
  filter: AuditFilter,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  requireRole(actor, "admin");
  return bytesOf(csvLines(actor, client, filter));
}

async function* csvLines(actor: Actor, client: ClientRow, filter: AuditFilter): AsyncGenerator<string> {
  yield csvRow(["at", "action", "by", "by_kind", "by_id", "subject", "subject_name", "whole_account", "detail"]);
  let place: Place = null;
  do {
    const rows: Row[] = await read(actor, client, filter, place, CSV_PAGE);
    const { shown, last } = cutPage(rows, CSV_PAGE, { hit, edge });
    yield shown
      .map((row) => toLine(actor, row))
      .map(({ at, action, by, by_kind, by_id, subject, subject_name, whole_account, detail }) =>
        csvRow([at, action, by, by_kind, by_id, subject, subject_name, whole_account, detail]),
      )
      .join("");
    const [time, id] = last ? keyOf(last) : [];
    place = time && id ? { time, id } : null;
  } while (place);
}

const hit = (row: Row): boolean => row.hit;
const edge = (row: Row): boolean => row.edge;
const keyOf = ({ at, id }: Row): [string, string] => [at.toISOString(), id];

/**
 * Entries of the client, and of its account for those who see it, after a cursor: one more than requested, and the last
 * one scanned. Each of the two queries starts in its index; action and actor are filtered afterwards.
 */
async function read(actor: Actor, client: ClientRow, filter: AuditFilter, after: Place, limit: number): Promise<Row[]> {
  const { what = null, who = null, from = null, to = null } = filter;
  const isFiltered = what !== null || who !== null;
  const part = (condition: string) => `
    (select id, at, action, subject, detail, actor_kind, actor_id, client_id is null as whole_account
       from audit_entries
      where ${condition}
        and ($3::date is null or at >= $3::date::timestamp at time zone $5)
        and ($4::date is null or at < ($4::date + 1)::timestamp at time zone $5)
        ${after ? "and (at, id) < ($9::timestamptz, $10::bigint)" : ""}
      order by at desc, id desc limit $8)`;
  const own = part("client_id = $1 and $2::text is not null");
  const lines = seesAccount(actor, client) ? `${own} union all ${part("client_id is null and account_id = $2")}` : own;
  const { rows } = await pool().query<Row>(
    `select l.id::text, l.at, l.action, l.subject, l.detail, l.actor_kind, l.actor_id, l.whole_account, l.hit, l.edge,
            case l.actor_kind when 'user' then (select username from users u where u.id = l.actor_id)
              when 'key' then (select name from api_keys k where k.id = l.actor_id) end as actor_name,
            coalesce((select username from users u where u.id = l.subject),
                     (select name from api_keys k where k.id = l.subject)) as subject_name
       from (select looked.*, row_number() over (order by at desc, id desc) = $8 as edge,
                    ($6::text is null or action like $6 || '.%') and ($7::text is null or actor_id = $7) as hit
               from (select * from (${lines}) found order by at desc, id desc limit $8) looked) l
      where l.hit or l.edge order by l.at desc, l.id desc limit ${limit + 2}`,
    [
      client.id,
      client.account_id,
      from,
      to,
      timeZoneOf(client),
      what,
      who,
      isFiltered ? MAX_SCANNED : limit + 1,
      ...(after ? [after.time, after.id] : []),
    ],
  );
  return rows;
}

/** A change to several clients is shown to each of them; other clients are named only to people who reach them. */
function detailFor(actor: Actor, { clients, ...detail }: Row["detail"]): AuditLine["detail"] {
  if (!Array.isArray(clients)) return clients === undefined ? detail : { ...detail, clients };
  const visible = clients.filter((id) => isAdminOf(actor, String(id)));
  const others = clients.length - visible.length;
  return { ...detail, clients: visible, ...(others > 0 && { other_clients: others }) };
}

const toLine = (actor: Actor, row: Row): AuditLine => ({
  id: row.id,
  at: toIsoSeconds(row.at),
  action: row.action,
  by: row.actor_kind === "system" ? "Candor" : row.actor_name,
  by_kind: row.actor_kind,
  by_id: row.actor_id,
  subject: row.subject,
  subject_name: row.subject_name,
  whole_account: row.whole_account,
  detail: detailFor(actor, row.detail),
});
