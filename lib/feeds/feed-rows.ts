import type { FieldMapping } from "@/lib/feeds/product-fields";
import type { Feed, Schedule } from "@/lib/feeds/schema";
import { schedules } from "@/lib/feeds/schema";
import type { FeedKind } from "@/lib/feeds/values";
import { type Db, pool } from "@/lib/platform/db/pool";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { withNotices } from "@/lib/platform/notices";
import { type SealedColumn, seal, tryUnseal } from "@/lib/platform/secrets/seal";

export type FeedRow = {
  client_id: string;
  id: string;
  kind: FeedKind;
  url: string;
  sealed_url: Buffer;
  format: Feed["format"];
  mapping: FieldMapping;
  schedule: Schedule;
  etag: string | null;
  last_modified: string | null;
  enabled: boolean;
  next_run_at: Date | null;
  asked_at: Date | null;
  last_run_at: Date | null;
  last_outcome: Feed["last_outcome"];
  last_error: string | null;
  last_read: number | null;
  last_rejected: number | null;
  /** Its newest successful import. */
  last_import: string | null;
  /** An import of it is running. */
  running: boolean;
};

const columns = `client_id, id, kind, url, sealed_url, format, mapping, schedule, etag, last_modified, enabled, next_run_at,
  asked_at, last_run_at, last_outcome, last_error, last_read, last_rejected,
  (select i.id from feed_imports i where i.client_id = f.client_id and i.feed_id = f.id and i.status in ('following', 'done')
    order by i.started_at desc, i.id desc limit 1) as last_import,
  exists (select from feed_imports i where i.client_id = f.client_id and i.feed_id = f.id and i.status = 'running'
             and i.started_at > now() - interval '6 hours') as running`;

/** A client's feeds, oldest first. Not paginated: a store has a handful. */
export async function selectFeeds(clientId: string, db: Db = pool()): Promise<FeedRow[]> {
  const text = `select ${columns} from feeds f where client_id = $1 order by created_at, id`;
  return (await db.query<FeedRow>(text, [clientId])).rows;
}

export async function selectFeed(clientId: string, id: string, db: Db = pool()): Promise<FeedRow | null> {
  const text = `select ${columns} from feeds f where client_id = $1 and id = $2`;
  return (await db.query<FeedRow>(text, [clientId, id])).rows[0] ?? null;
}

const PURPOSE = "feeds/1";
export const sealedColumns: SealedColumn[] = [
  {
    table: "feeds",
    key: ["client_id", "id"],
    column: "sealed_url",
    purpose: PURPOSE,
  },
];

/** The stored parts of a URL: the displayable one, and the sealed full one. */
export function sealAddress(url: string): { url: string; sealed_url: Buffer } {
  const { origin, pathname } = new URL(url);
  return { url: `${origin}${pathname}`, sealed_url: seal(PURPOSE, url) };
}

/** The full URL; null if the installation's secret changed since it was sealed. */
export const unsealAddress = ({ sealed_url }: Pick<FeedRow, "sealed_url">): string | null =>
  tryUnseal(PURPOSE, sealed_url);

export function toFeed(row: FeedRow): Feed {
  const address = unsealAddress(row);
  const feed = {
    id: row.id,
    kind: row.kind,
    url: row.url,
    hidden: address !== null && new URL(address).href !== row.url,
    address_lost: address === null,
    format: row.format,
    schedule: row.schedule,
    enabled: row.enabled,
    mapping: row.mapping,
    next_run_at: row.enabled && row.next_run_at ? toIsoSeconds(row.next_run_at) : null,
    last_run_at: row.last_run_at && toIsoSeconds(row.last_run_at),
    last_outcome: row.last_outcome,
    last_error: row.last_error,
    last_read: row.last_read,
    last_rejected: row.last_rejected,
    last_import: row.last_import,
    under_way: row.running || isRunRequested(row),
  };
  return withNotices(feed, "last_error");
}

/** Time after which a requested run that hasn't ended may be requested again. */
const REQUEST_TIMEOUT_MS = 3_600_000;

export const isRunRequested = ({ asked_at }: Pick<FeedRow, "asked_at">): boolean =>
  asked_at !== null && Date.now() - asked_at.getTime() < REQUEST_TIMEOUT_MS;

/** When to fetch a feed next: the next scheduled time after `moment`, or at most an hour later if the fetch failed. */
export function nextRun(schedule: Schedule, due: Date | null, moment: Date, failed: boolean): Date {
  const step = schedules[schedule] * 3_600_000;
  const from = due ?? moment;
  const missed = Math.max(0, Math.floor((moment.getTime() - from.getTime()) / step));
  const next = from.getTime() + (from > moment ? 0 : (missed + 1) * step);
  return new Date(failed ? Math.min(next, moment.getTime() + 3_600_000) : next);
}
