import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deliverDueEvents } from "@/lib/integrations/webhooks/deliver-due";
import { sealAddress } from "@/lib/integrations/webhooks/rows";
import { createWebhook } from "@/lib/integrations/webhooks/set-webhook";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { addDays } from "@/lib/invitations/days";
import { sendInvitations } from "@/lib/invitations/send-invitation";
import { suppressAddress } from "@/lib/invitations/suppress-address";
import { dayIn } from "@/lib/platform/clock";
import { type Db, longTransaction, pool } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { aClient, rowsOf } from "@/lib/tools/test/factories";
import { makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";
import { killPrograms, startProgram } from "@/lib/tools/test/program";
import { type WebhookReceiver, webhookReceiver } from "@/lib/tools/test/webhook-receiver";
import { lockClient } from "./sql";

// The state after the process that delivers to the external sender is killed, at each step.

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await webhookReceiver();
});
afterEach(async () => {
  vi.useRealTimers();
  await killPrograms();
  await receiver.stop();
});

type Shop = { id: string; hook: string };
const untilTrue = (check: () => Promise<boolean>) =>
  vi.waitFor(async () => expect(await check()).toBe(true), { timeout: 60_000, interval: 20 });

type Step = {
  step: string;
  /** locks something meanwhile, so that the process can't continue */
  hold?: (db: Db, shop: Shop) => Promise<unknown>;
  /** the process kills itself before it connects */
  killsItself?: true;
  /** the process is killed once this is true */
  reached?: (shop: Shop) => Promise<boolean>;
  /** how many requests the receiver has seen by then */
  requestsReceived: 0 | 1;
  /** whether it may have arrived, as far as we know */
  mayHave: boolean;
};

const steps: Step[] = [
  {
    step: "it is claimed, but not validated yet",
    hold: (db, shop) => lockClient(db, shop.id),
    reached: async (shop) =>
      (await rowsOf("select from webhook_deliveries where client_id = $1 and attempts = 1", [shop.id])).length === 1,
    requestsReceived: 0,
    mayHave: false,
  },
  { step: "it is validated, but not sent yet", killsItself: true, requestsReceived: 0, mayHave: true },
  {
    step: "it is sent, but has no response yet",
    reached: async () => receiver.requestCount === 1,
    requestsReceived: 1,
    mayHave: true,
  },
  {
    step: "it is taken, and that is not noted yet",
    hold: (db, shop) =>
      db.query("select from webhooks where client_id = $1 and id = $2 for update", [shop.id, shop.hook]),
    reached: async () =>
      receiver.received.length === 1 &&
      (
        await rowsOf(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like '%from webhooks%no key update%'`,
        )
      ).length === 1,
    requestsReceived: 1,
    mayHave: true,
  },
];

/** Creates a store whose email to Ada awaits delivery, and a process that is killed at the step. */
async function killedAt({ hold, killsItself, reached, requestsReceived }: Step): Promise<Shop> {
  receiver.requestCount = 0;
  receiver.received.length = 0;
  const { id, client } = await aClient({ config: { own_sender: true } });
  const made = await createWebhook({ kind: "user", id: "u" }, client, {
    url: "https://hooks.invalid/in",
    events: ["invitation.handed"],
  });
  const sealedAddress = sealAddress(receiver.url);
  await rowsOf("update webhooks set url = $2, sealed_url = $3 where id = $1", [
    made.id,
    sealedAddress.url,
    sealedAddress.sealed_url,
  ]);
  receiver.secret = made.secret;
  await makeCustomer(id, { id: "c-1", email: "ada@x.example" });
  await makeOrder(id, "o-1", "c-1", [{ id: "lamp", name: "Lamp", delivery_date: addDays(dayIn("UTC"), -10) }]);
  await claimInvitations(id);
  await sendInvitations(id, await unsentInvitations(id));
  const shop = { id, hook: made.id };

  // Long enough to be killed before the response, if that is the step.
  receiver.delayMs = reached && !hold ? 3_000 : 0;
  await longTransaction(async (db) => {
    await hold?.(db, shop);
    const program = startProgram("lib/tools/test/deliver-webhook-process.ts", [
      id,
      made.id,
      killsItself ? "connecting" : "",
    ]);
    if (reached) {
      await untilTrue(() => reached(shop));
      await program.kill();
    }
    expect(await program.ended).toBeNull();
  });
  if (requestsReceived) await untilTrue(async () => receiver.received.length === 1);
  receiver.delayMs = 0;
  return shop;
}

/** Another process delivers once the lease has expired. */
async function afterwards({ id, hook }: Shop): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 130_000 });
  await deliverDueEvents(id, hook, { allows: () => true });
  vi.useRealTimers();
}

const stateOf = async (id: string) =>
  (
    await rowsOf(
      `select n.status, n.attempts, n.taken_at is not null as taken, n.handed_at is not null as handed,
              (select coalesce(sum(sent), 0)::int from send_days where client_id = $1) as counted,
              exists (select from quarantines where client_id = $1) as quarantined
         from invitations n where client_id = $1`,
      [id],
    )
  )[0];

test.for(steps)(
  "is delivered under one id and counts once if killed when $step",
  { timeout: 120_000 },
  async (step) => {
    const shop = await killedAt(step);
    expect(receiver.received).toHaveLength(step.requestsReceived);
    const expectedState = { status: "sent", taken: false, handed: true, counted: 1, quarantined: true };
    expect(await stateOf(shop.id)).toEqual({ ...expectedState, attempts: step.mayHave ? 1 : 0 });
    // The person isn't invited a second time meanwhile.
    expect(await claimInvitations(shop.id)).toEqual([]);
    await afterwards(shop);
    expect(receiver.received).toHaveLength(step.requestsReceived + 1);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(await stateOf(shop.id)).toEqual({ ...expectedState, taken: true, attempts: step.mayHave ? 2 : 1 });
    await afterwards(shop);
    expect(receiver.received).toHaveLength(step.requestsReceived + 1);
  },
);

test.for(steps.filter(({ requestsReceived }) => requestsReceived === 0))(
  "is released on withdrawal only if it can't have arrived, if killed when $step",
  { timeout: 120_000 },
  async (step) => {
    const shop = await killedAt(step);
    await suppressAddress(pool(), shop.id, personHash(shop.id, "email", "ada@x.example"), "complaint");
    await afterwards(shop);
    expect(receiver.requestCount).toBe(0);
    expect(await stateOf(shop.id)).toEqual({
      status: "failed",
      taken: false,
      attempts: step.mayHave ? 1 : 0,
      handed: step.mayHave,
      counted: step.mayHave ? 1 : 0,
      quarantined: step.mayHave,
    });
  },
);
