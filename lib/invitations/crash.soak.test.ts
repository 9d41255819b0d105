import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { expect, test } from "vitest";
import { addDays } from "@/lib/invitations/days";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { makeClient, makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";
import { startProgram } from "@/lib/tools/test/program";

const PEOPLE = 24;

test("sends one email to everyone not in flight, and never two, if concurrent senders are killed at any time", {
  timeout: 90_000,
}, async () => {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      text(stream).then(async () => {
        received.push(...session.envelope.rcptTo.map(({ address }) => address));
        await sleep(40); // accepted but not answered: the worst moment to die
        done();
      }, done);
    },
  });
  server.on("error", () => undefined); // connections of killed senders
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const client = await makeClient("crash");
  for (let n = 0; n < PEOPLE; n++) {
    await makeCustomer(client, { id: `k${n}`, email: `k${n}@x.example` });
    await makeOrder(client, `o${n}`, `k${n}`, [{ id: "p", delivery_date: addDays(dayIn("UTC"), -10) }]);
  }
  const sender = () =>
    startProgram("lib/tools/test/send-invitations-process.ts", [client], {
      SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
      MAIL_FROM: "reviews@candor.example",
    });
  const queued = async () =>
    (await pool().query("select from mails where status = 'queued' and handed_at is null")).rowCount ?? 0;
  const claimed = async () =>
    (await pool().query("select from invitations where status = 'claimed' and mail_id is null")).rowCount ?? 0;

  // Two at a time, killed once some emails are sent.
  for (let round = 1; round <= 3; round++) {
    const pair = [sender(), sender()];
    const target = Math.min(received.length + 5, PEOPLE - 4);
    for (let waited = 0; received.length < target && waited < 10_000; waited += 10) await sleep(10);
    await Promise.all(pair.map(({ kill }) => kill()));
  }
  expect(await sender().ended).toBe(0);
  expect(await queued()).toBe(0);
  expect(await claimed()).toBe(0);

  expect(new Set(received).size).toBe(received.length);
  const { rows } = await pool().query<{ to: string }>(`select "to" from mails where status <> 'sent'`);
  // People without an email were in flight when the sender died: at most three lanes of six senders.
  const without = Array.from({ length: PEOPLE }, (_, n) => `k${n}@x.example`).filter((to) => !received.includes(to));
  expect(rows.map(({ to }) => to)).toEqual(expect.arrayContaining(without));
  expect(rows.length).toBeLessThanOrEqual(18);
  await new Promise<void>((resolve) => server.close(() => resolve()));
});
