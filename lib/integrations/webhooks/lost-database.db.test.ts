import pg from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pool, transaction } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { aClient, aDelegatedInvitation, rowsOf } from "@/lib/tools/test/factories";
import { type WebhookReceiver, webhookReceiver } from "@/lib/tools/test/webhook-receiver";
import { deliverDueEvents } from "./deliver-due";
import { getWebhook } from "./list-webhooks";
import { newSigningSecret, sealAddress, sealSigningSecrets } from "./rows";

// The database connection is lost after events were sent and before their outcomes are saved.

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await webhookReceiver();
});
afterEach(async () => {
  vi.useRealTimers();
  await comeBack();
  await receiver.stop();
});

/** From now on, the first `times` statements that write such a row end their own connection. */
const goAway = (table: string, when: string, times: number) =>
  pool().query(`
    create sequence gone_away;
    create function go_away() returns trigger language plpgsql as $$
      begin if nextval('gone_away') <= ${times} then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$;
    create trigger go_away before update on ${table} for each row when (${when}) execute function go_away()`);

const comeBack = () => pool().query("drop function if exists go_away cascade; drop sequence if exists gone_away");

async function aWebhook() {
  const shop = await aClient();
  const secret = newSigningSecret();
  receiver.secret = secret;
  const { url, sealed_url } = sealAddress(receiver.url);
  await rowsOf(
    `insert into webhooks (client_id, id, url, sealed_url, events, secrets, updated_at)
     values ($1, 'wh', $2, $3, '{review.created,review.updated,invitation.handed}', $4, now())`,
    [shop.id, url, sealed_url, sealSigningSecrets([{ secret }])],
  );
  const emitEvents = (...reviews: string[]) =>
    transaction((db) =>
      enqueue(
        db,
        reviews.flatMap((review_id) => [
          { name: "review/submitted" as const, data: { client_id: shop.id, review_id } },
          { name: "review/submitted" as const, data: { client_id: shop.id, review_id, edited: true as const } },
        ]),
      ),
    );
  return { shop, emit: emitEvents, deliver: () => deliverDueEvents(shop.id, "wh", { allows: () => true }) };
}

const receivedLines = () => receiver.received.map(({ data, type, id }) => `${data.review_id} ${type} ${id}`).sort();
const states = (clientId: string) =>
  rowsOf("select subject, event, state, attempts from webhook_deliveries where client_id = $1 order by subject, id", [
    clientId,
  ]);

it("a connection lost while saving outcomes causes no duplicate delivery and no failure", async () => {
  const { shop, emit, deliver } = await aWebhook();
  await emit("a", "b", "refused");
  receiver.rejects = (text) => text.includes("refused");
  await goAway("webhook_deliveries", "new.state = 'sent'", 2);
  expect(await deliver()).toMatchObject({ sent: 4 });
  expect(receivedLines().map((line) => line.split(" msg_")[0])).toEqual([
    "a review.created",
    "a review.updated",
    "b review.created",
    "b review.updated",
  ]);
  expect((await states(shop.id)).map(({ state }) => state)).toEqual([...Array(4).fill("sent"), "pending", "pending"]);
  // Others were delivered, so the rejection was specific to that event.
  expect(await getWebhook(shop, "wh")).toMatchObject({ state: "active", last_error: null });
});

it("an unsaved delivery is resent with the same id after its lease and before later events", async () => {
  const { shop, emit, deliver } = await aWebhook();
  await emit("a", "b");
  await goAway("webhook_deliveries", "new.state = 'sent'", 1_000);
  await expect(deliver()).rejects.toThrow();
  const first = receivedLines();
  expect(first.map((line) => line.split(" msg_")[0])).toEqual(["a review.created", "b review.created"]);
  const waiting = ["a", "b"].flatMap((subject) => [
    { subject, event: "review.created", state: "pending", attempts: 1 },
    { subject, event: "review.updated", state: "pending", attempts: 0 },
  ]);
  expect(await states(shop.id)).toEqual(waiting);
  await comeBack();
  expect(await deliver()).toMatchObject({ sent: 0, failed: 0 });
  expect(receivedLines()).toEqual(first);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 121_000 });
  receiver.received.length = 0;
  expect(await deliver()).toMatchObject({ sent: 4, failed: 0, nextInSeconds: null });
  expect(receivedLines().filter((line) => line.includes("created"))).toEqual(first);
  expect((await states(shop.id)).map(({ state }) => state)).toEqual(Array(4).fill("sent"));
});

it("an invitation that couldn't be prepared isn't sent, and its webhook doesn't fail", async () => {
  const { shop, deliver } = await aWebhook();
  const id = await aDelegatedInvitation(shop.id);
  await rowsOf(
    `insert into webhook_deliveries (client_id, webhook_id, event, subject, data, happened_at, due_at)
     values ($1, 'wh', 'invitation.handed', $2, jsonb_build_object('invitation_id', $2::text), now(), now())`,
    [shop.id, id],
  );
  await goAway("invitations", "true", 1);
  const { nextInSeconds: wait } = await deliver();
  expect(wait).toBeGreaterThan(0);
  expect(receiver.requestCount).toBe(0);
  expect(await states(shop.id)).toMatchObject([{ subject: id, state: "pending", attempts: 0 }]);
  expect(await getWebhook(shop, "wh")).toMatchObject({ state: "active", last_error: null });
});

it("an outcome saved before the connection was lost isn't saved twice", async () => {
  const { shop, deliver } = await aWebhook();
  const id = await aDelegatedInvitation(shop.id);
  await rowsOf(
    `insert into webhook_deliveries (client_id, webhook_id, event, subject, data, happened_at, due_at, attempts)
     values ($1, 'wh', 'invitation.handed', $2, jsonb_build_object('invitation_id', $2::text), now(), now(), 3)`,
    [shop.id, id],
  );
  await goAway("invitations", "true", 1);
  const send = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  let noting: unknown = null;
  let lostConnections = 0;
  const spied = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: unknown,
    ...given: unknown[]
  ) {
    const answer = send.apply(this, given);
    if (String(given[0]).startsWith("update webhook_deliveries set state")) noting = this;
    if (given[0] !== "commit" || this !== noting || lostConnections > 0) return answer;
    lostConnections += 1;
    return Promise.resolve(answer).then(() => Promise.reject(new Error("Connection terminated unexpectedly")));
  } as never);
  try {
    await deliver();
  } finally {
    spied.mockRestore();
  }
  expect(lostConnections).toBe(1);
  expect(await states(shop.id)).toMatchObject([{ subject: id, state: "pending", attempts: 3 }]);
});
