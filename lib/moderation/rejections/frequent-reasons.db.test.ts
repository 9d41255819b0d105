import { expect, it } from "vitest";
import { listFrequentReasons } from "@/lib/moderation/rejections/list-frequent-reasons";
import { aClient, rowsOf } from "@/lib/tools/test/factories";
import { captureStatement, queryCost } from "@/lib/tools/test/query-cost";
import { selectFrequentReasons } from "./sql";

const reject = (clientId: string, reason: string, count: number, { actor = "user", daysAgo = 1 } = {}) =>
  rowsOf(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state, reason, at)
     select $1, 'review', n::text, $2, 'decided', 'pending', 'rejected', $3, now() - make_interval(days => $4)
       from generate_series(1, $5) n`,
    [clientId, actor, reason, daysAgo, count],
  );

it("lists the four reasons that people of the store used most in 90 days", async () => {
  const [client, other] = [await aClient(), await aClient()];
  await reject(client.id, "spam", 5);
  await reject(client.id, "price", 9);
  await reject(client.id, "duplicate", 3);
  await reject(client.id, "profanity", 4);
  await reject(client.id, "promotion", 3);
  await reject(client.id, "illegal", 2); // too few
  await reject(client.id, "unspecified", 50);
  await reject(client.id, "competitor", 50, { daysAgo: 91 });
  await reject(client.id, "personal_data", 50, { actor: "rule" });
  await reject(other.id, "question", 50);
  expect(await listFrequentReasons(client)).toEqual(["price", "spam", "profanity", "duplicate"]);
  expect(await listFrequentReasons(await aClient())).toEqual([]);
});

it("doesn't count edits of rejected items", async () => {
  const client = await aClient();
  await reject(client.id, "spam", 3, { daysAgo: 2 });
  await rowsOf(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state, reason)
     select $1, 'review', n::text, 'user', 'edited', 'rejected', 'rejected', case when n <= 9 then 'price' end
       from generate_series(1, 1000) n`,
    [client.id],
  );
  expect(await listFrequentReasons(client)).toEqual(["spam"]);
});

it("reads a bounded number of rows", async () => {
  const client = await aClient();
  await reject(client.id, "spam", 5_000);
  await rowsOf("analyze moderation_events");
  const { read, seqScans } = await queryCost(
    await captureStatement((db) => selectFrequentReasons(db, client.id, { minUses: 3, limit: 4 })),
  );
  expect([read <= 1_000, seqScans]).toEqual([true, []]);
});
