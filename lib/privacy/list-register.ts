import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { cutPage, decodeCursor, nextLink } from "@/lib/platform/http/cursor";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import type { RegisterEntry } from "@/lib/privacy/schema";
import { type CompletedRow, type PendingRow, selectCompletedRequests, selectPendingRequests } from "./sql";

const PAGE = 50;
const MAX_PENDING = 100;

/**
 * The register of requests about personal data: pending erasures first, then completed requests, newest first. Lists
 * who requested it, when and how many rows; whose data it was isn't stored once it is erased. Throws `invalid_cursor`.
 */
export async function listRegister(
  client: Pick<ClientRow, "id">,
  { after }: { after?: string },
  url: URL,
): Promise<{ data: RegisterEntry[]; links: { next?: string } }> {
  const cursor = after === undefined ? null : decodeCursor(after, "personal_data.register", ["time", "text"]);
  const from = cursor ? { time: cursor.key[0] as string, id: cursor.key[1] as string } : null;
  if (from && !/^\d{1,18}$/.test(from.id)) return { data: [], links: {} };
  const [rows, open] = await Promise.all([
    selectCompletedRequests(pool(), client.id, from, PAGE + 1),
    cursor ? [] : selectPendingRequests(pool(), client.id, MAX_PENDING),
  ]);
  const { shown, last } = cutPage(rows, PAGE);
  const next =
    last &&
    nextLink(env().PUBLIC_URL, url, {
      order: "personal_data.register",
      key: [last.at.toISOString(), last.id],
      startedAt: null,
    });
  return { data: [...open.map(toPendingEntry), ...shown.map(toCompletedEntry)], links: next ? { next } : {} };
}

const toPendingEntry = (row: PendingRow): RegisterEntry => ({
  id: row.id,
  kind: "removal",
  state: "under_way",
  requested_at: toIsoSeconds(row.created_at),
  done_at: null,
  by: row.actor_name,
  by_key: row.actor_kind === "key",
  by_self: row.actor_kind === "visitor",
  counts: row.removed,
});

const toCompletedEntry = ({
  id,
  at,
  action,
  subject,
  detail,
  actor_kind,
  actor_name,
}: CompletedRow): RegisterEntry => ({
  id: subject ?? id,
  kind: action === "personal_data.copied" ? "copy" : "removal",
  state: "done",
  requested_at: detail.requested_at ? toIsoSeconds(new Date(detail.requested_at)) : null,
  done_at: toIsoSeconds(at),
  by: actor_name,
  by_key: actor_kind === "key",
  by_self: actor_kind === "visitor",
  counts: detail.removed ?? detail.held ?? {},
});
