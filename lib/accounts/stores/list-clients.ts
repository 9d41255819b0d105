import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { Client, type ClientFilter } from "@/lib/accounts/stores/schema";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { cutPage, decodeCursor, nextLink } from "@/lib/platform/http/cursor";

type ClientPage = { data: Client[]; links: { next?: string } };

/** The API's representation of a client row: the documented settings, nothing else. */
export const toClient = (row: ClientRow): Client => Client.strip().parse(row);

/** A page of the clients the actor reaches, by id. Throws `invalid_cursor`. */
export async function listClients(actor: Actor, filter: ClientFilter, url: URL): Promise<ClientPage> {
  const cursor = filter.after === undefined ? null : decodeCursor(filter.after, "clients", ["text"]);
  const { rows } = await pool().query<ClientRow>({
    name: "client-page",
    text: `select c.*, a.name as account_name from clients c join accounts a on a.id = c.account_id
            where c.id > $1 and ($2::text[] is null or c.id = any($2)) order by c.id limit $3`,
    values: [cursor?.key[0] ?? "", actor.clients === "all" ? null : [...actor.clients], filter.limit + 1],
  });
  const { shown, last } = cutPage(rows, filter.limit);
  return {
    data: shown.map(toClient),
    links: last ? { next: nextLink(env().PUBLIC_URL, url, { order: "clients", key: [last.id], startedAt: null }) } : {},
  };
}
