import pg from "pg";
import { addDays } from "@/lib/invitations/days";
import { median } from "@/lib/tools/bench/measure";
import { printLine, step } from "@/lib/tools/launch/bootstrap.mjs";

// The cost of a run over a million open order items, compared with bare SQL that finds the due ones in the same
// database, in alternation.

export const PLANNING = "planning";
const CLIENT = "plan.bench.example";
const TODAY = "2026-05-31";
/** The time of the measured run; the next run is an hour later. */
const RUN_AT = new Date(`${TODAY}T09:00:00Z`);
const NEXT_RUN_AT = new Date(`${TODAY}T10:00:00Z`);
const SEND_AFTER_DAYS = 7;
const SEND_BEFORE_DAYS = 60;
const COOLDOWN_DAYS = 21;
const DAILY_LIMIT = 1_000;
const MAX_DECIDED = 10_000;

export type Planning = {
  name: typeof PLANNING;
  postgres: string;
  about: string;
  items: number;
  /** items that the bare SQL finds due, and their people; the run must find the same */
  due: { items: number; people: number };
  /** emails that a run claims, which is the daily limit; and people who are decided on, of all with due items */
  limit: number;
  decided: number;
  rounds: number;
  /**
   * Seconds, medians. Without the daily limit: `bare` is SQL that finds all due items, `find` is the run's search for
   * their people, `decide` decides on up to {@link MAX_DECIDED} of them. Up to the daily limit: `bareRun` is SQL
   * that finds the oldest items and inserts an email for each, `run` is a whole run, `idle` is a run an hour later,
   * `nothing` is a run after all due items have been invited.
   */
  seconds: Record<"bare" | "find" | "decide" | "bareRun" | "run" | "idle" | "nothing", number>;
  /** the run's seconds divided by those of equivalent bare SQL: medians of the rounds' ratios */
  ratios: { find: number; run: number };
};

/** Measures on a database with the schema only. Each round's writes are undone, so that all rounds find the same. */
export async function measurePlanning(
  { url, version }: { url: string; version: string },
  items: number,
  rounds: number,
): Promise<Planning> {
  const { claimInvitations } = await import("@/lib/invitations/claim-invitations");
  const { withNow } = await import("@/lib/platform/clock");
  const { pool } = await import("@/lib/platform/db/pool");
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    await step(`Making ${items} open order items`, () => insertTestData(db, items));
    printLine("Measuring the run that invites …");
    const seconds: Record<keyof Planning["seconds"], number[]> = {
      bare: [],
      find: [],
      decide: [],
      bareRun: [],
      run: [],
      idle: [],
      nothing: [],
    };
    let due = { items: 0, people: 0 };
    // The first round doesn't count: it warms the cache for both.
    for (let round = -1; round < rounds; round += 1) {
      const timed = async <T>(what: keyof Planning["seconds"], work: () => Promise<T>): Promise<T> => {
        const began = performance.now();
        const result = await work();
        if (round >= 0) seconds[what].push((performance.now() - began) / 1000);
        return result;
      };
      const found = (await timed("bare", () => db.query<{ person: string }>(yardstickSql))).rows;
      const people = await timed("find", findCandidates);
      due = { items: found.length, people: new Set(found.map(({ person }) => person)).size };
      if (people.length !== due.people)
        throw new Error(`${PLANNING}: ${people.length} people instead of ${due.people}.`);
      const some = people.slice(0, MAX_DECIDED);
      const mails = await timed("decide", () => decideForPeople(some));
      if (mails < some.length / 2) throw new Error(`${PLANNING}: ${mails} mails to ${some.length} people.`);
      await timed("bareRun", () => db.query(yardstickRunSql));
      await deleteRunResults(db);
      const claimed = await timed("run", () => withNow(RUN_AT, () => claimInvitations(CLIENT)));
      const again = await timed("idle", () => withNow(NEXT_RUN_AT, () => claimInvitations(CLIENT)));
      if (claimed.length !== DAILY_LIMIT || again.length !== 0)
        throw new Error(
          `${PLANNING}: ${claimed.length} and then ${again.length} mails instead of ${DAILY_LIMIT} and none.`,
        );
      await deleteRunResults(db);
    }
    await db.query(markAllInvitedSql);
    await db.query("vacuum (analyze) invitation_items, order_items");
    for (let round = -1; round < rounds; round += 1) {
      const began = performance.now();
      const claimed = await withNow(RUN_AT, () => claimInvitations(CLIENT));
      if (round >= 0) seconds.nothing.push((performance.now() - began) / 1000);
      if (claimed.length > 0)
        throw new Error(`${PLANNING}: ${claimed.length} emails although all items were already invited.`);
    }
    const medianRatio = (what: keyof Planning["seconds"], bare: keyof Planning["seconds"]) =>
      median(seconds[what].map((own, round) => own / (seconds[bare][round] as number)));
    return {
      name: PLANNING,
      postgres: version,
      about: `bare SQL, by somebody who knows the rules: one SELECT of all due items, with every condition; and one statement that takes the oldest ${DAILY_LIMIT} of them and writes a mail and its item for each, without grouping, waiting, quarantine, facts or count of the day`,
      items,
      due,
      limit: DAILY_LIMIT,
      decided: Math.min(MAX_DECIDED, due.people),
      rounds,
      seconds: Object.fromEntries(
        Object.entries(seconds).map(([what, values]) => [what, median(values)]),
      ) as Planning["seconds"],
      ratios: { find: medianRatio("find", "bare"), run: medianRatio("run", "bareRun") },
    };
  } finally {
    await db.end();
    await pool().end();
  }
}

/** No daily limit. */
const rules = {
  afterDays: SEND_AFTER_DAYS,
  beforeDays: SEND_BEFORE_DAYS,
  quarantineDays: COOLDOWN_DAYS,
  limit: 2_147_483_647,
};

/** All people with due items, found as a run finds them, for the whole window. */
async function findCandidates(): Promise<string[]> {
  const { selectCandidates } = await import("@/lib/invitations/rules-sql");
  const { pool } = await import("@/lib/platform/db/pool");
  const window = { first: addDays(TODAY, -SEND_BEFORE_DAYS), last: addDays(TODAY, -SEND_AFTER_DAYS) };
  return selectCandidates(pool(), CLIENT, rules, TODAY, window, rules.limit);
}

/** Decides on these people in batches, as a run does. Returns the number of resulting emails. */
async function decideForPeople(people: string[]): Promise<number> {
  const { selectDue } = await import("@/lib/invitations/rules-sql");
  const { PEOPLE_PER_BATCH } = await import("@/lib/invitations/claim-invitations");
  const { pool } = await import("@/lib/platform/db/pool");
  let mails = 0;
  for (let at = 0; at < people.length; at += PEOPLE_PER_BATCH)
    mails += (await selectDue(pool(), CLIENT, rules, TODAY, people.slice(at, at + PEOPLE_PER_BATCH))).length;
  return mails;
}

/** Hand-written SQL that knows the rules, without grouping, cooldown, limit or writes. */
const yardstickSql = `
select i.order_id, i.id as item_id, i.delivery_date, c.email_key as person
  from order_items i
  join orders o on o.client_id = i.client_id and o.id = i.order_id
  join customers c on c.client_id = o.client_id and c.id = o.customer_id
  left join products p on p.client_id = i.client_id and p.id = i.id
 where i.client_id = '${CLIENT}' and i.reviewable and not (i.held_at is not null and coalesce(i.held_until > date '${TODAY}', true)) and not coalesce(p.deleted, false)
   and i.delivery_date between date '${TODAY}' - ${SEND_BEFORE_DAYS} and date '${TODAY}' - ${SEND_AFTER_DAYS}
   and c.email_key is not null
   and not exists (select from invitation_items a where a.client_id = i.client_id and a.order_id = i.order_id and a.item_id = i.id)
   and not exists (select from suppressions s where s.client_id = i.client_id and s.email_hash = c.email_hash)
   and not exists (select from customers f where f.client_id = i.client_id and f.email_key = c.email_key and f.opt_out_by_order)
   and not exists (select from quarantines q where q.client_id = i.client_id and q.person_hash = c.email_hash
                    and q.last_day > date '${TODAY}' - ${COOLDOWN_DAYS})
   and not exists (select from customers f join quarantines q on q.client_id = f.client_id and q.person_hash = f.id_hash
                    where f.client_id = i.client_id and f.email_key = c.email_key and q.last_day > date '${TODAY}' - ${COOLDOWN_DAYS})
   and not exists (select from reviews v where v.client_id = i.client_id and v.email_key = c.email_key
                    and v.product_id = i.id and v.date > date '${TODAY}' - 180)
   and not exists (select from customers f join reviews v on v.client_id = f.client_id and v.customer_id = f.id
                    where f.client_id = i.client_id and f.email_key = c.email_key and v.product_id = i.id
                      and v.date > date '${TODAY}' - 180)
   and not exists (select from reviews v where v.client_id = i.client_id and v.order_id = i.order_id and v.product_id = i.id)`;

/** The oldest due items up to the daily limit, with an inserted email for each. */
const yardstickRunSql = `
with due as (
  select order_id, item_id, 'bare' || row_number() over () as id
    from (select * from (${yardstickSql}) found order by delivery_date, order_id, item_id limit ${DAILY_LIMIT}) oldest
), made as (
  insert into invitations (client_id, id, status, day) select '${CLIENT}', id, 'claimed', '${TODAY}' from due returning id
)
insert into invitation_items (client_id, invitation_id, order_id, item_id, position)
select '${CLIENT}', made.id, due.order_id, due.item_id, 1 from made join due on due.id = made.id`;

/** Marks all items as invited, except those that become due in the next days. */
const markAllInvitedSql = `
with made as (
  insert into invitations (client_id, id, status, day) values ('${CLIENT}', 'all', 'sent', '2026-01-01') returning id
)
insert into invitation_items (client_id, invitation_id, order_id, item_id, position)
select i.client_id, made.id, i.order_id, i.id, 1 from made, order_items i
 where i.client_id = '${CLIENT}' and i.delivery_date <= date '${TODAY}' - ${SEND_AFTER_DAYS}`;

/**
 * Five items per three orders per two customers, delivered during the window. A twentieth of the customers have no
 * address, some pairs share one, and some are opted out, suppressed, in cooldown or have reviewed. Written without
 * triggers and foreign key checks, which are not measured.
 */
async function insertTestData(db: pg.Client, items: number): Promise<void> {
  const [customers, orders, products] = [Math.ceil(items * 0.4), Math.ceil(items * 0.6), 20_000];
  const person = "case when g % 50 = 1 then g - 1 else g end";
  await db.query("set session_replication_role = replica");
  await db.query("insert into accounts (id, name) values ('acc_plan', 'Plan')");
  await db.query(
    `insert into clients (id, account_id, display_name, email_name, public_key, send_emails_after_days, send_emails_before_days, send_limit, quarantine_period)
     values ($1, 'acc_plan', $1, $1, 'pk_plan', ${SEND_AFTER_DAYS}, ${SEND_BEFORE_DAYS}, ${DAILY_LIMIT}, ${COOLDOWN_DAYS})`,
    [CLIENT],
  );
  const many = (text: string, count: number) => db.query(text, [CLIENT, count]);
  await many(
    `insert into products (client_id, id, family_id, name, deleted)
     select $1, 'p' || g, 'f' || g / 5, 'Thing ' || g, g % 200 = 0 from generate_series(0, $2::int - 1) g`,
    products,
  );
  await many(
    `insert into customers (client_id, id, id_hash, email, email_key, email_hash, opt_out_by_order)
     select $1, 'k' || g, md5('i' || g), address, address, md5(address), g % 25 = 3
       from generate_series(1, $2::int) g
       cross join lateral (select case when g % 20 <> 0 then 's' || ${person} || '@mail.example' end as address) a`,
    customers,
  );
  await many(
    `insert into orders (client_id, id, customer_id)
     select $1, 'o' || g, 'k' || (g * 7919::bigint) % ${customers} + 1 from generate_series(0, $2::int - 1) g`,
    orders,
  );
  await many(
    `insert into order_items (client_id, order_id, id, position, delivery_date, reviewable)
     select $1, 'o' || g % ${orders}, 'p' || (g * 31::bigint + g / ${orders}) % ${products}, g / ${orders},
            date '${TODAY}' - ${SEND_AFTER_DAYS - 2} - ((g * 17::bigint) % ${SEND_BEFORE_DAYS - SEND_AFTER_DAYS})::int, true
       from generate_series(0, $2::int - 1) g`,
    items,
  );
  await many(
    `insert into quarantines (client_id, person_hash, last_day)
     select $1, md5(kind || g || case kind when 's' then '@mail.example' else '' end), date '${TODAY}' - g % 30
       from generate_series(1, $2::int, 10) g cross join (values ('i'), ('s')) kinds(kind)`,
    customers,
  );
  await many(
    `insert into suppressions (client_id, email_hash, reason)
     select $1, md5('s' || g || '@mail.example'), 'bounce' from generate_series(2, $2::int, 50) g`,
    customers,
  );
  await many(
    `insert into reviews (client_id, id, source, product_id, score, date, customer_id, email_key, feedback_token)
     select $1, 'r' || g, 'web', 'p' || (g * 31::bigint) % ${products}, 5, date '${TODAY}' - g % 300, 'k' || g,
            's' || g || '@mail.example', 'r' || g from generate_series(1, $2::int, 10) g`,
    customers,
  );
  await db.query("set session_replication_role = origin");
  await db.query("create table quarantines_before as select * from quarantines");
  await db.query("vacuum (analyze)");
}

/** Deletes what a run wrote. */
async function deleteRunResults(db: pg.Client): Promise<void> {
  const { rows } = await db.query<{ id: string }>("select id from invitations where client_id = $1", [CLIENT]);
  const ids = rows.map(({ id }) => id);
  await db.query("delete from invitations where client_id = $1", [CLIENT]);
  await db.query("delete from send_days where client_id = $1", [CLIENT]);
  await db.query("delete from outbox where client_id = $1 or data->>'invitation_id' = any($2)", [CLIENT, ids]);
  await db.query("delete from quarantines where client_id = $1", [CLIENT]);
  await db.query("insert into quarantines select * from quarantines_before");
}
