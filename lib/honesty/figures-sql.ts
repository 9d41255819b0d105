import type { BiasFinding } from "@/lib/honesty/bias/find-bias";
import type { Figures } from "@/lib/honesty/figures";
import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";

/**
 * A store's figures, and the head of the log that they were computed from. `findings`: what depends on stars, also what
 * isn't in the figures yet, since those are public. `not_compared`: see {@link InvitationBias}.
 */
export type StoredFigures = {
  as_of: Date;
  size: number;
  checkpoint: string;
  figures: Figures;
  findings: BiasFinding[];
  not_compared: number;
};

/** The figures computed last. Undefined if there are none yet. */
export async function selectFigures(db: Db, clientId: string): Promise<StoredFigures | undefined> {
  const { rows } = await db.query<StoredFigures>({
    name: "log-figures",
    text: "select as_of, size, checkpoint, figures, findings, not_compared from log_figures where client_id = $1",
    values: [clientId],
  });
  return rows[0];
}

/** Of stores: when their figures were computed. Null for a store without any. */
export async function selectFigureTimes(db: Db, clientIds: string[]): Promise<(Date | null)[]> {
  const { rows } = await db.query<{ as_of: Date | null }>({
    name: "log-figures-times",
    text: `select f.as_of from unnest($1::text[]) with ordinality as g(id, place)
             left join log_figures f on f.client_id = g.id order by g.place`,
    values: [clientIds],
  });
  return rows.map(({ as_of }) => as_of);
}

/** Stores figures, unless newer ones are stored or the log is gone. Returns whether they were stored. */
export async function saveFigures(
  db: Db,
  clientId: string,
  { as_of, size, checkpoint, figures, findings, not_compared }: StoredFigures,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "log-figures-save",
    text: `insert into log_figures as f (client_id, size, checkpoint, as_of, figures, findings, not_compared)
           select client_id, $2, $3, $4, $5, $6, $7 from logs where client_id = $1 for key share
           on conflict (client_id) do update
             set size = excluded.size, checkpoint = excluded.checkpoint, as_of = excluded.as_of, figures = excluded.figures,
                 findings = excluded.findings, not_compared = excluded.not_compared
           where f.size <= excluded.size and f.as_of <= excluded.as_of`,
    values: [clientId, size, checkpoint, as_of, JSON.stringify(figures), JSON.stringify(findings), not_compared],
  });
  return rowCount === 1;
}

/**
 * Stores whose figures are out of date: their log has grown, a day has passed in which pending reviews got older, or a
 * week has begun, with which reviews and invitations are compared. The longer a log, the rarer: reading it again takes at most
 * about 1% of the time.
 */
export async function selectOutdated(clientIds: string[] | null): Promise<string[]> {
  const { rows } = await pool().query<{ client_id: string }>({
    name: "log-figures-outdated",
    text: `select l.client_id from logs l left join log_figures f using (client_id)
            where ($1::text[] is null or l.client_id = any($1)) and (f.client_id is null
               or f.size < l.size and f.as_of < $2::timestamptz - greatest(interval '9 minutes', l.size * interval '1 millisecond')
               or f.as_of < date_trunc('week', $2::timestamptz, 'UTC') and ((f.figures #>> '{reviews,received,total}')::int > 0 or f.findings <> '[]' or f.not_compared > 0)
               or f.as_of < $2::timestamptz - interval '1 day' and (f.figures #>> '{reviews,pending,total}')::int > 0)
            order by l.client_id`,
    values: [clientIds, now()],
  });
  return rows.map(({ client_id }) => client_id);
}

/** Stores that a list has at most. */
const MAX_STORES = 100;

/** Stores with findings, in the order of their names, at most a hundred. */
export async function selectBiasFindings(db: Db): Promise<{ id: string; name: string; findings: BiasFinding[] }[]> {
  const { rows } = await db.query<{ id: string; name: string; findings: BiasFinding[] }>(
    `select c.id, c.display_name as name, f.findings from log_figures f join clients c on c.id = f.client_id
      where f.findings <> '[]' order by c.display_name, c.id limit ${MAX_STORES}`,
  );
  return rows;
}
