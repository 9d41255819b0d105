import type { Figures } from "@/lib/honesty/figures";
import { type Db, pool } from "@/lib/platform/db/pool";

/** A store's figures, and the head of the log that they were computed from. */
export type StoredFigures = { as_of: Date; size: number; checkpoint: string; figures: Figures };

/** The figures computed last. Undefined if there are none yet. */
export async function selectFigures(db: Db, clientId: string): Promise<StoredFigures | undefined> {
  const { rows } = await db.query<StoredFigures>({
    name: "log-figures",
    text: "select as_of, size, checkpoint, figures from log_figures where client_id = $1",
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

/** Stores figures, unless newer ones are stored or the log is gone. */
export async function saveFigures(
  clientId: string,
  { as_of, size, checkpoint, figures }: StoredFigures,
): Promise<void> {
  await pool().query({
    name: "log-figures-save",
    text: `insert into log_figures as f (client_id, size, checkpoint, as_of, figures)
           select client_id, $2, $3, $4, $5 from logs where client_id = $1 for key share
           on conflict (client_id) do update
             set size = excluded.size, checkpoint = excluded.checkpoint, as_of = excluded.as_of, figures = excluded.figures
           where f.size <= excluded.size and f.as_of <= excluded.as_of`,
    values: [clientId, size, checkpoint, as_of, JSON.stringify(figures)],
  });
}

/**
 * Stores whose figures are out of date: their log has grown, or a day has passed in which pending reviews got older. The
 * longer a log, the rarer: reading it again takes at most about 1% of the time.
 */
export async function selectOutdated(clientIds: string[] | null): Promise<string[]> {
  const { rows } = await pool().query<{ client_id: string }>({
    name: "log-figures-outdated",
    text: `select l.client_id from logs l left join log_figures f using (client_id)
            where ($1::text[] is null or l.client_id = any($1)) and (f.client_id is null
               or f.size < l.size and f.as_of < now() - greatest(interval '9 minutes', l.size * interval '1 millisecond')
               or f.as_of < now() - interval '1 day' and (f.figures #>> '{reviews,pending,total}')::int > 0)
            order by l.client_id`,
    values: [clientIds],
  });
  return rows.map(({ client_id }) => client_id);
}
