import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { freePort } from "@/lib/tools/launch/postgres.mjs";
import { runAdmin, startServer } from "./server";

// kill -9 of the server, Inngest, the admin command and the database while they work. No browser.

const CUSTOMERS = 60;
const ROUNDS = 3;

type Mail = { to: string; html: string };
type Page = { data: { extract: string }[]; links: { next?: string } };

test("kill -9 during a run loses no accepted submission and sends no email twice", async () => {
  test.setTimeout(240_000);
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "candor-e2e-crash-"));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const admin = (args: string[], signal?: AbortSignal) => runAdmin(dataDir, port, args, signal);
  let server = await startServer(dataDir, port, "crash.log");
  try {
    const client = (await admin(["client", "create", "--id", "crash.example"])) as { public_key: string };
    const { secret } = (await admin(["key", "create", "--client", "crash.example"])) as { secret: string };
    const headers = { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" };
    const delivered = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
    for (let number = 0; number < CUSTOMERS; number += 1) {
      const order = {
        id: `O-${number}`,
        customer: { id: `C-${number}`, name: `Buyer ${number}`, email: `buyer-${number}@crash.example` },
        items: [{ id: "P-1", name: "Sturdy box", delivery_date: delivered }],
      };
      const answer = await fetch(`${base}/v1/orders`, { method: "POST", headers, body: JSON.stringify({ order }) });
      expect(answer.status).toBe(200);
    }

    const acknowledged: string[] = [];
    let written = 0;
    const submit = async (stop: AbortSignal): Promise<void> => {
      while (!stop.aborted) {
        const content = `Review number ${++written} of a sturdy box.`;
        const body = {
          client_id: "crash.example",
          api_key: client.public_key,
          product_id: "P-1",
          author: "Ann",
          score: 4,
          content,
        };
        const sent = fetch(`${base}/collect/reviews`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        });
        // The kill breaks connections. Such a submission wasn't acknowledged.
        const answer = await sent.catch(() => null);
        if (answer?.status === 201) acknowledged.push(content);
        else await sleep(5);
      }
    };

    for (let round = 0; round < ROUNDS; round += 1) {
      const stop = new AbortController();
      const killSwitch = new AbortController();
      const before = acknowledged.length;
      const writers = Array.from({ length: 8 }, () => submit(stop.signal));
      // The kill ends it in most rounds. If it finishes earlier, its emails are sent and later rounds must not repeat
      // them.
      const invitationRun = admin(
        ["jobs", "run", "send-invitations", "--client", "crash.example"],
        killSwitch.signal,
      ).catch(() => null);
      await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 20);
      await sleep(1_200 + 500 * round);
      await server.kill();
      killSwitch.abort();
      stop.abort();
      await Promise.all([...writers, invitationRun]);
      server = await startServer(dataDir, port, "crash.log");
    }

    await admin(["jobs", "run", "send-invitations", "--client", "crash.example"]);
    const mails = (await admin(["mail", "list"])) as Mail[];
    const receivers = mails.map(({ to }) => /[^\s<]+@crash\.example/.exec(to)?.[0]).filter((to) => to !== undefined);
    expect([...receivers].sort()).toEqual(
      Array.from({ length: CUSTOMERS }, (_, n) => `buyer-${n}@crash.example`).sort(),
    );

    const stored: string[] = [];
    for (let next: string | undefined = `${base}/v1/reviews?limit=1000`; next; ) {
      const page = (await (await fetch(next, { headers })).json()) as Page;
      stored.push(...page.data.map(({ extract }) => extract));
      next = page.links.next;
    }
    const times = Map.groupBy(stored, (extract) => extract);
    expect(acknowledged.filter((content) => times.get(content)?.length !== 1)).toEqual([]);
    expect([...times.values()].filter((same) => same.length > 1)).toEqual([]);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
