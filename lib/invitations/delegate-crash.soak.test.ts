import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { createWebhook } from "@/lib/integrations/webhooks/set-webhook";
import { addDays } from "@/lib/invitations/days";
import { dayIn } from "@/lib/platform/clock";
import { aClient, rowsOf } from "@/lib/tools/test/factories";
import { makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";
import { killPrograms, startProgram } from "@/lib/tools/test/program";

const PEOPLE = 40;

afterEach(killPrograms);

test("each invitation is delegated once, however often concurrent senders are killed", {
  timeout: 120_000,
}, async () => {
  const { id, client } = await aClient({ config: { own_sender: true } });
  await createWebhook({ kind: "user", id: "u" }, client, {
    url: "https://hooks.invalid/in",
    events: ["invitation.handed"],
  });
  for (let n = 0; n < PEOPLE; n++) {
    await makeCustomer(id, { id: `k${n}`, email: `k${n}@x.example` });
    await makeOrder(id, `o${n}`, `k${n}`, [{ id: "p", delivery_date: addDays(dayIn("UTC"), -10) }]);
  }
  const sender = () => startProgram("lib/tools/test/send-invitations-process.ts", [id]);
  const delegated = () =>
    rowsOf("select id, email from invitations where client_id = $1 and handed_at is not null", [id]);

  // Two at a time, killed midway.
  for (let round = 1; round <= 3; round++) {
    const pair = [sender(), sender()];
    const target = Math.min((await delegated()).length + 6, PEOPLE - 4);
    for (let waited = 0; (await delegated()).length < target && waited < 15_000; waited += 5) await sleep(5);
    await Promise.all(pair.map(({ kill }) => kill()));
  }
  expect(await sender().ended).toBe(0);

  const invitations = await delegated();
  expect(new Set(invitations.map(({ email }) => email)).size).toBe(PEOPLE);
  expect(invitations).toHaveLength(PEOPLE);
  const events = await rowsOf("select data ->> 'invitation_id' as id from webhook_deliveries where client_id = $1", [
    id,
  ]);
  expect(events.map((event) => event.id).sort()).toEqual(invitations.map((invitation) => invitation.id).sort());
  expect(await rowsOf("select from mails where client_id = $1", [id])).toEqual([]);
});
