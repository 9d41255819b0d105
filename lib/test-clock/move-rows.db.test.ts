import { expect, it } from "vitest";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { longTransaction, transaction } from "@/lib/platform/db/pool";
import { decideItem } from "@/lib/reviews/decisions/decide-items";
import { movedTables } from "@/lib/test-clock/moved-columns";
import {
  aClient,
  aMember,
  anOrder,
  aResponse,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
} from "@/lib/tools/test/factories";
import { moveRows } from "./sql";

type Rows = Record<string, Record<string, unknown>[]>;

/** All rows of a store that its clock moves. */
async function rowsOfStore(clientId: string): Promise<Rows> {
  const found: Rows = {};
  for (const { name, where } of movedTables) {
    const rows = await rowsOf(
      `select to_jsonb(r) as row from ${name} r where client_id = $1${where ? ` and ${where}` : ""}`,
      [clientId],
    );
    found[name] = rows
      .map(({ row }) => row)
      .sort((a, b) => (JSON.stringify(keyOf(a)) < JSON.stringify(keyOf(b)) ? -1 : 1));
  }
  return found;
}
const keyOf = ({ id, order_id, item_id, review_id, voter, sent }: Record<string, unknown>) => [
  order_id,
  review_id,
  item_id,
  id,
  voter,
  sent,
];

/** A store where something of everything happened. */
async function aLivedInStore(test: boolean) {
  const shop = await aClient({ collect_seller_reviews: true, auto_moderate: false }, { test });
  await someProducts(shop.id, [{ id: "sku-1", name: "Lamp" }]);
  const order = await anOrder(shop.id, { items: [{ id: "sku-1", delivery_date: "2026-11-20" }] });
  const [review = ""] = await someReviews(shop.id, [{ accepted: null }, { accepted: true, accepted_at: new Date() }]);
  await decideItem({ kind: "system", id: "test" }, shop.client, "review", review, { accepted: true });
  await aResponse(shop.id, "review", review);
  const [question = ""] = await someQuestions(shop.id, [{ accepted: true, accepted_at: new Date() }]);
  await rowsOf(
    `insert into answers (client_id, id, question_id, author, answer, date, accepted, accepted_at)
     values ($1, $1 || '-a', $2, 'Shop', 'Yes', current_date, true, now())`,
    [shop.id, question],
  );
  await rowsOf("insert into votes (client_id, review_id, voter, value) values ($1, $2, 'v', 1)", [shop.id, review]);
  await rowsOf(
    `insert into invitations (client_id, id, email, email_key, status, day, sent_at, expires_at)
     values ($1, 'inv-' || $1, 'a@x.example', 'a@x.example', 'sent', current_date, now(), now() + interval '180 days')`,
    [shop.id],
  );
  // Each day meets another one when it is moved.
  await rowsOf(
    "insert into send_days (client_id, day, sent) select $1, current_date - n, n + 1 from generate_series(0, 9) n",
    [shop.id],
  );
  await rowsOf("insert into quarantines (client_id, person_hash, last_day) values ($1, 'h', current_date)", [shop.id]);
  const person = await aMember(shop);
  await rowsOf(
    "insert into digests (user_id, client_id, every, hour, last_day) values ($1, $2, 'day', 8, current_date)",
    [person.id, shop.id],
  );
  return { shop, order, review };
}

const dayBefore = (value: unknown, days: number) =>
  value === null ? null : new Date(Date.parse(String(value)) - days * 86_400_000).toISOString();

it("moves all times and days of a store, and nothing else", async () => {
  const { shop } = await aLivedInStore(true);
  const { shop: other } = await aLivedInStore(false);
  const [before, others] = [await rowsOfStore(shop.id), await rowsOfStore(other.id)];
  expect(Object.keys(before).filter((name) => before[name]?.length).length).toBeGreaterThan(15);
  await longTransaction((db) => moveRows(db, shop.id, 3));
  await longTransaction((db) => moveRows(db, shop.id, 1));
  expect(await rowsOfStore(other.id)).toEqual(others);
  expect(await rowsOf("select test_days from clients where id = $1", [shop.id])).toEqual([{ test_days: 4 }]);

  const after = await rowsOfStore(shop.id);
  for (const { name, times, days = [] } of movedTables) {
    const moved = (row: Record<string, unknown>) => ({
      ...row,
      ...Object.fromEntries(times.map((column) => [column, dayBefore(row[column], 4)])),
      ...Object.fromEntries(days.map((column) => [column, dayBefore(row[column], 4)?.slice(0, 10) ?? null])),
      ...("body" in row && { body: null }),
      ...("responses" in row && { responses: null }),
    });
    const asIs = (row: Record<string, unknown>) => ({
      ...row,
      ...Object.fromEntries(times.map((column) => [column, dayBefore(row[column], 0)])),
      ...("body" in row && { body: null }),
      ...("responses" in row && { responses: null }),
      ...("answers_version" in row && {
        answers_version: before[name]?.find(({ id }) => id === row.id)?.answers_version,
      }),
    });
    expect(after[name]?.map(asIs), name).toEqual(before[name]?.map(moved));
  }
  expect(await verifySummaries(shop.id)).toEqual([]);
});

it("shows the moved days in the public JSON, with the replies", async () => {
  const { shop, review } = await aLivedInStore(true);
  await longTransaction((db) => moveRows(db, shop.id, 2));
  const [row] = await rowsOf("select body || '}' as body, date::text as date, updated_at from reviews where id = $1", [
    review,
  ]);
  const body = JSON.parse(row.body);
  const [reply] = await rowsOf("select date::text as date from responses where client_id = $1", [shop.id]);
  expect(body.date).toBe(row.date);
  expect(body.updated_at).toBe(`${row.updated_at.toISOString().slice(0, 19)}Z`);
  expect(body.responses[0].date).toBe(reply.date);
});

it("leaves the history append-only, and a real store alone", async () => {
  const { shop } = await aLivedInStore(false);
  expect(await transaction((db) => moveRows(db, shop.id, 1))).toBe(false);
  const changed = (statement: string) =>
    transaction(async (db) => {
      await db.query("set local candor.moving_times = 'on'");
      await db.query(statement, [shop.id]);
    });
  await expect(changed("update moderation_events set action = 'x' where client_id = $1")).rejects.toThrow(
    "append-only",
  );
  await expect(changed("delete from moderation_events where client_id = $1")).rejects.toThrow("append-only");
  await expect(rowsOf("update moderation_events set at = now() where client_id = $1", [shop.id])).rejects.toThrow(
    "append-only",
  );
});

it("can't change when something happened at a real store, whatever the session says", async () => {
  const { shop } = await aLivedInStore(false);
  await expect(
    longTransaction(async (db) => {
      await db.query("select set_config('candor.moving_times', 'on', true)");
      await db.query("update moderation_events set at = at - interval '1 day' where client_id = $1", [shop.id]);
    }),
  ).rejects.toThrow("append-only");
});
