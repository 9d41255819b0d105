import { beforeEach, expect, it } from "vitest";
import * as collect from "@/app/collect/reviews/route";
import * as reviews from "@/app/v1/reviews/route";
import { getClient } from "@/lib/accounts/stores/get-client";
import { sealAddress } from "@/lib/integrations/webhooks/rows";
import { pool, transaction } from "@/lib/platform/db/pool";
import { withdrawEvents } from "@/lib/platform/jobs/outbox/derived-events";
import { enqueue, notYetAvailableSql } from "@/lib/platform/jobs/outbox/enqueue";
import { writeDecisions } from "@/lib/reviews/decisions/write-decisions";
import { call } from "@/lib/tools/test/call";
import { emptyDatabase } from "@/lib/tools/test/database";
import { waitUntil } from "@/lib/tools/test/engines";
import {
  aClient,
  countBlockedQueries,
  rowsOf,
  someProducts,
  someReviews,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";

// Each statement that writes outbox events also writes what derives from them: deliveries to the engagement platform
// and webhooks of clients that have them, whatever else is in the batch.

let shop: TestClient;
let otherClient: TestClient;
beforeEach(async () => {
  await emptyDatabase();
  [shop, otherClient] = [await aClient(), await aClient()];
  await rowsOf("insert into integrations (client_id, type) values ($1, 'engagement')", [shop.id]);
  await aWebhook(shop, "wh");
  for (const { id } of [shop, otherClient]) await someProducts(id, [{ id: "lamp", family_id: "lamp", name: "Lamp" }]);
});

async function aWebhook({ id }: TestClient, webhookId: string) {
  const { url, sealed_url } = sealAddress("https://hooks.invalid/in");
  await rowsOf(
    `insert into webhooks (client_id, id, url, sealed_url, events, secrets, updated_at)
     values ($1, $2, $3, $4, '{review.created,review.accepted,review.rejected}', '', now())`,
    [id, webhookId, url, sealed_url],
  );
}

/** What was written besides the outbox events themselves. */
async function derived() {
  const reviewEvents = await rowsOf("select client_id, data from outbox where name = 'engagement/review' order by id");
  const deliveries = await rowsOf("select client_id, event, subject from webhook_deliveries order by id");
  const due = await rowsOf("select client_id, data from outbox where name = 'webhook/due'");
  for (const { client_id } of [...reviewEvents, ...deliveries, ...due]) expect(client_id).toBe(shop.id);
  expect(due).toEqual(
    deliveries.length > 0 ? [{ client_id: shop.id, data: { client_id: shop.id, webhook_id: "wh" } }] : [],
  );
  return {
    reviewEvents: reviewEvents.map(({ data: { review_id, changed } }) => ({ review_id, changed: changed === true })),
    deliveries: deliveries.map(({ event, subject }) => ({ event, subject })),
  };
}
const idsOf = async (client: TestClient) =>
  (await rowsOf("select id from reviews where client_id = $1 order by id", [client.id])).map(({ id }) => id as string);
const bySubject = (one: { subject: string }, other: { subject: string }) => (one.subject < other.subject ? -1 : 1);
const byReview = (one: { review_id: string }, other: { review_id: string }) =>
  one.review_id < other.review_id ? -1 : 1;

it("creates deliveries for events that an action enqueues", async () => {
  await enqueue(
    pool(),
    [shop, otherClient].flatMap(({ id }) => [
      { name: "review/deleted", data: { client_id: id, review_id: "a" } } as const,
      { name: "review/submitted", data: { client_id: id, review_id: "b" } } as const,
      { name: "question/submitted", data: { client_id: id, question_id: "c" } } as const,
    ]),
  );
  expect(await derived()).toEqual({
    reviewEvents: [
      { review_id: "a", changed: true },
      { review_id: "b", changed: true },
    ],
    deliveries: [{ event: "review.created", subject: "b" }],
  });
});

it("creates deliveries for reviews submitted by visitors of several clients in one batch", async () => {
  const submit = ({ id, publicKey }: TestClient) =>
    call(collect, "POST", "/collect/reviews", {
      body: {
        ...{ client_id: id, api_key: publicKey, product_id: "lamp", author: uniqueName("Ada"), score: 4 },
        ...{ author_email: `${uniqueName("ada")}@mail.example`, content: "Bright enough." },
      },
    });
  const answers = await Promise.all([shop, otherClient, shop, otherClient, shop].map(submit));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
  const ids = await idsOf(shop);
  expect(ids).toHaveLength(3);
  const { reviewEvents, deliveries } = await derived();
  expect(reviewEvents.sort(byReview)).toEqual(ids.map((review_id) => ({ review_id, changed: true })));
  expect(deliveries.sort(bySubject)).toEqual(ids.map((subject) => ({ event: "review.created", subject })));
});

it("creates deliveries for reviews from the API, decided or not", async () => {
  const post = ({ key }: TestClient, accepted: boolean | null) =>
    call(reviews, "POST", "/v1/reviews", {
      key,
      body: { review: { order: { item: { id: "lamp" } }, author: "Ada", score: 4, accepted } },
    });
  const answers = await Promise.all([post(shop, true), post(otherClient, true), post(shop, null)]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  const [published, pending] = [answers[0]?.json.data.id, answers[2]?.json.data.id];
  const { reviewEvents, deliveries } = await derived();
  expect(reviewEvents.sort(byReview)).toEqual(
    [
      { review_id: published, changed: true },
      { review_id: published, changed: false },
      { review_id: pending, changed: true },
    ].sort(byReview),
  );
  expect(deliveries.filter(({ subject }) => subject === published)).toEqual([
    { event: "review.created", subject: published },
    { event: "review.accepted", subject: published },
  ]);
  expect(deliveries.filter(({ subject }) => subject === pending)).toEqual([
    { event: "review.created", subject: pending },
  ]);
});

it("creates deliveries for bulk decisions in one statement, but not for silent ones", async () => {
  const ids = await someReviews(
    shop.id,
    [{}, {}, {}].map(() => ({ accepted: null })),
  );
  const client = await getClient(shop.id);
  await transaction((db) =>
    writeDecisions(
      db,
      client as NonNullable<typeof client>,
      "review",
      ids.map((id, index) => ({
        id,
        from: null,
        accepted: index !== 1,
        reason: index === 1 ? "spam" : null,
        actor: { kind: "user", id: "u" },
        notify: false,
        silent: index === 2,
        delay_seconds: 10,
      })),
    ),
  );
  expect(await derived()).toEqual({
    reviewEvents: [
      { review_id: ids[0], changed: false },
      { review_id: ids[1], changed: false },
    ],
    deliveries: [
      { event: "review.accepted", subject: ids[0] },
      { event: "review.rejected", subject: ids[1] },
    ],
  });
  const waits = await rowsOf(
    "select distinct due_at > now() + interval '5 s' as later from webhook_deliveries union all select available_at > now() + interval '5 s' from outbox where name = 'engagement/review'",
  );
  expect(waits.every(({ later }) => later)).toBe(true);
});

const submitted = (client: TestClient, review_id: string, delay_seconds?: number) =>
  ({ name: "review/submitted", data: { client_id: client.id, review_id }, delay_seconds }) as const;
const deliveries = () =>
  rowsOf(
    "select client_id, webhook_id, subject, state from webhook_deliveries order by client_id, webhook_id, subject",
  );

it("creates deliveries for several clients in one batch, for each of their webhooks", async () => {
  await aWebhook(shop, "wh2");
  await aWebhook(otherClient, "theirs");
  await enqueue(pool(), [submitted(otherClient, "n"), submitted(shop, "a"), submitted(await aClient(), "x")]);
  const found = (await deliveries()).map(({ webhook_id, subject }) => `${webhook_id} ${subject}`);
  expect(found.sort()).toEqual(["theirs n", "wh a", "wh2 a"]);
  const due = await rowsOf("select client_id, data ->> 'webhook_id' as webhook from outbox where name = 'webhook/due'");
  expect(due.map(({ client_id, webhook }) => `${client_id} ${webhook}`).sort()).toEqual(
    [`${otherClient.id} theirs`, `${shop.id} wh`, `${shop.id} wh2`].sort(),
  );
});

it("creates deliveries to the engagement platform of the event's client only", async () => {
  await rowsOf("update integrations set client_id = $1", [otherClient.id]);
  await enqueue(pool(), [submitted(shop, "a"), submitted(otherClient, "n")]);
  expect(await rowsOf("select client_id, data from outbox where name = 'engagement/review'")).toEqual([
    { client_id: otherClient.id, data: { client_id: otherClient.id, review_id: "n", changed: true } },
  ]);
});

it.each([
  ["gone", "disabled_at = now(), disabled_reason = 'gone'", 0],
  ["disabled for over thirty days", "disabled_at = now() - interval '31 days', disabled_reason = 'failing'", 0],
  ["disabled for less", "disabled_at = now() - interval '29 days', disabled_reason = 'failing'", 1],
  ["paused", "paused_at = now() - interval '31 days'", 1],
])("creates deliveries depending on the webhook's state: %s", async (_, how, count) => {
  await rowsOf(`update webhooks set ${how}`);
  await enqueue(pool(), [submitted(shop, "a")]);
  expect(await deliveries()).toHaveLength(count);
});

it.each([
  ["is removed", "delete from webhooks where id = 'wh'", ["other"]],
  ["is not removed after all", "select", ["other", "wh"]],
  ["no longer wants it", "update webhooks set events = '{review.accepted}' where id = 'wh'", ["other"]],
])("creates deliveries for the others if one webhook %s meanwhile", { timeout: 30_000 }, async (_, then, left) => {
  await aWebhook(shop, "other");
  const removing = await pool().connect();
  const before = await countBlockedQueries();
  try {
    await removing.query("begin");
    await removing.query("select from webhooks where id = 'wh' for update");
    const written = enqueue(pool(), [submitted(shop, "a")]);
    written.catch(() => undefined); // checked below
    await waitUntil(async () => (await countBlockedQueries()) > before);
    await removing.query(then);
    await removing.query("commit");
    await written;
  } finally {
    await removing.query("rollback");
    removing.release();
  }
  expect((await deliveries()).map(({ webhook_id }) => webhook_id)).toEqual(left);
  expect(await rowsOf("select from outbox where name = 'review/submitted'")).toHaveLength(1);
});

it("deletes deliveries of a withdrawn event unless delivered or due", async () => {
  await aWebhook(shop, "sent");
  await enqueue(pool(), [submitted(shop, "a", 60), submitted(shop, "b", 60), submitted(shop, "now")]);
  await rowsOf("update webhook_deliveries set state = 'sent' where webhook_id = 'sent' and subject = 'a'");
  const withdrawn = await transaction((db) =>
    withdrawEvents(
      db,
      `${notYetAvailableSql} and client_id = $1 and name = 'review/submitted' and data ->> 'review_id' = any($2)`,
      [shop.id, ["a", "now"]],
    ),
  );
  expect(withdrawn).toEqual([{ client_id: shop.id, review_id: "a" }]);
  expect((await deliveries()).map(({ webhook_id, subject, state }) => `${webhook_id} ${subject} ${state}`)).toEqual([
    "sent a sent",
    "sent b pending",
    "sent now pending",
    "wh b pending",
    "wh now pending",
  ]);
});
