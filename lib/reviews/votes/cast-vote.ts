import { batch } from "@/lib/platform/db/batch";
import { pool, writePool } from "@/lib/platform/db/pool";

/** A displayed review that receives feedback, and the origins that may send it. */
export type FeedbackTarget = { client_id: string; id: string; allowed_origins: string[] };

/** The displayed review with this feedback token, or null. Concurrent lookups share one query. */
export function findTarget(token: string): Promise<FeedbackTarget | null> {
  const find = batch<string, FeedbackTarget | null>("feedback-targets", selectTargets, { inFlight: 2 });
  return find(token);
}

async function selectTargets(tokens: string[]): Promise<(FeedbackTarget | null)[]> {
  const { rows } = await pool().query<{ client_id: string | null; id: string; allowed_origins: string[] }>({
    name: "feedback-targets",
    text: `select r.client_id, r.id, c.allowed_origins
             from unnest($1::text[]) with ordinality as q(token, n)
             left join lateral (
               select client_id, id from reviews where feedback_token = q.token and accepted offset 0) r on true
             left join lateral (select allowed_origins from clients where id = r.client_id offset 0) c on true
            order by q.n`,
    values: [tokens],
  });
  return rows.map(({ client_id, ...rest }) => (client_id === null ? null : { client_id, ...rest }));
}

/** A voter's opinion: helpful (1), not helpful (-1), or none any more (0). */
type Vote = Pick<FeedbackTarget, "client_id" | "id"> & { voter: string; value: 1 | -1 | 0 };

/**
 * Replaces the voter's vote and updates the counters by the difference; false if the review is no longer displayed.
 * Concurrent votes share one statement and one update per review; only votes of the same voter run one after the other.
 */
export function castVote(vote: Vote): Promise<boolean> {
  const cast = batch<Vote, boolean>("votes", castVotes, {
    conflictKeys: ({ client_id, id, voter }) => [JSON.stringify([client_id, id, voter])],
  });
  return cast(vote);
}

// Reviews are locked first, in order, so that concurrent votes aren't counted from an older state. The upsert's result
// shows the previous vote: a new row has no xmax, and a changed one had the opposite value.
const text = `
  with given as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::int[]) with ordinality as g(client_id, id, voter, value, n)),
  held as materialized (
    select r.* from (select distinct client_id, id from given order by 1, 2) g
     cross join lateral (
       select client_id, id from reviews where client_id = g.client_id and id = g.id and accepted for update) r),
  taken as (
    delete from votes v using given g join held h using (client_id, id)
     where g.value = 0 and v.client_id = g.client_id and v.review_id = g.id and v.voter = g.voter
    returning v.client_id, v.review_id, v.value),
  said as (
    insert into votes (client_id, review_id, voter, value)
    select g.client_id, g.id, g.voter, g.value from given g join held h using (client_id, id) where g.value <> 0
     order by 1, 2, 3
    on conflict (client_id, review_id, voter) do update set value = excluded.value, updated_at = now()
     where votes.value <> excluded.value
    returning client_id, review_id, value, xmax = 0 as is_new),
  change as (
    select client_id, review_id, sum(up) as up, sum(down) as down
      from (select client_id, review_id, -(value = 1)::int as up, -(value = -1)::int as down from taken
            union all
            select client_id, review_id, case when value = 1 then 1 when is_new then 0 else -1 end,
                   case when value = -1 then 1 when is_new then 0 else -1 end from said) each
     group by 1, 2),
  counted as (
    update reviews r set votes_up = r.votes_up + c.up, votes_down = r.votes_down + c.down
      from change c where r.client_id = c.client_id and r.id = c.review_id)
  select h.id is not null as found from given g left join held h using (client_id, id) order by g.n`;

async function castVotes(votes: Vote[]): Promise<boolean[]> {
  const { rows } = await writePool().query<{ found: boolean }>({
    name: "cast-votes",
    text,
    values: [
      votes.map(({ client_id }) => client_id),
      votes.map(({ id }) => id),
      votes.map(({ voter }) => voter),
      votes.map(({ value }) => value),
    ],
  });
  return rows.map(({ found }) => found);
}
