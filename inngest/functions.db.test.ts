import { beforeEach, describe, expect, it } from "vitest";
import { pool } from "@/lib/platform/db/pool";
import { readJobs } from "@/lib/platform/jobs/functions";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { relayToEngine } from "@/lib/platform/jobs/outbox/relay";
import { openQueue } from "@/lib/platform/jobs/queue";
import { listMails } from "@/lib/platform/mail/list-mails";
import { readFile, writeFile } from "@/lib/platform/storage/files";
import { submitReview } from "@/lib/reviews/reviews/submit-review";
import { folderOf } from "@/lib/reviews/uploads/image-objects";
import { storeUpload } from "@/lib/reviews/uploads/store-upload";
import { setClient } from "@/lib/settings/set-client";
import { postJson } from "@/lib/tools/test/collection-rows";
import { emptyDatabase } from "@/lib/tools/test/database";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient, aSubmission, rowsOf, someReviews } from "@/lib/tools/test/factories";
import { makeClient, makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";
import { photograph } from "@/lib/tools/test/pictures";

// The service's own functions on the embedded engine. On Inngest: on-inngest.db.test.ts.

beforeEach(emptyDatabase);

const deliveredDaysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

async function shopWithDueOrders(): Promise<string> {
  const client = await makeClient("shop", {});
  for (const n of [1, 2, 3]) {
    await makeCustomer(client, { id: `k${n}`, email: `customer${n}@x.example`, name: "Anna" });
    await makeOrder(client, `o${n}`, `k${n}`, [{ id: `p${n}`, name: "Lamp", delivery_date: deliveredDaysAgo(20) }]);
  }
  return client;
}

const mailedTo = async () => (await listMails()).map(({ to }) => to).sort();
const allCustomers = ["customer1@x.example", "customer2@x.example", "customer3@x.example"];

describe("on the embedded engine", () => {
  it("invites each customer once, however often the job runs", async () => {
    const { runJob } = await import("@/inngest/jobs");
    await shopWithDueOrders();
    const first = await runJob("send-invitations");
    expect(first.settled).toBe(true);
    expect(first.runs.map((run) => run.function).sort()).toEqual([
      "claim-invitations",
      "send-invitation",
      "send-invitations",
    ]);
    expect(first.runs.every(({ status }) => status === "done")).toBe(true);
    expect(await mailedTo()).toEqual(allCustomers);

    const [again, besides] = await Promise.all([
      runJob("send-invitations", { clientIds: ["shop"] }),
      runJob("send-invitations"),
    ]);
    expect([again.settled, besides.settled]).toEqual([true, true]);
    expect(await mailedTo()).toEqual(allCustomers);
  });

  it("sends what a killed process left claimed", async () => {
    const { runJob } = await import("@/inngest/jobs");
    const { claimInvitations } = await import("@/lib/invitations/claim-invitations");
    await claimInvitations(await shopWithDueOrders());
    await runJob("send-invitations");
    expect(await mailedTo()).toEqual(allCustomers);
  });

  it("applies a store's rules to submissions, and to pending items once enabled", async () => {
    const { startJobs, stopJobs } = await import("@/inngest/jobs");
    const { client } = await aClient({ auto_moderate: true });
    const later = await aClient();
    const [fine, profaneReview, held] = await Promise.all(
      ["A warm light.", "A fucking lamp.", "Only $5."].map((content) => submitReview(client, aSubmission(content))),
    );
    const [pendingReview] = await someReviews(later.id, [{ extract: "A warm light." }]);
    const states = async () =>
      new Map((await rowsOf("select id, accepted from reviews")).map(({ id, accepted }) => [id, accepted]));
    try {
      await startJobs();
      await waitUntil(
        async () => (await rowsOf("select from moderation_events where actor_kind = 'rule'")).length === 3,
      );
      expect(await states()).toEqual(
        new Map([
          [fine?.id, true],
          [profaneReview?.id, false],
          [held?.id, null],
          [pendingReview, null],
        ]),
      );
      await setClient(later.id, { auto_moderate: true });
      await waitUntil(async () => (await states()).get(pendingReview) === true);
      await waitUntil(async () => (await rowsOf("select from job_runs where ended_at is null")).length === 0);
    } finally {
      await stopJobs();
    }
    // Scheduled jobs run as well if a minute begins meanwhile.
    const runs = await rowsOf(
      "select function_id, status, output from job_runs where event ->> 'name' not like 'inngest/%' order by queued_at, id",
    );
    expect(new Set(runs.map(({ function_id, status }) => `${function_id} ${status}`))).toEqual(
      new Set(["candor-mail-rejection done", "candor-moderate-items done", "candor-moderate-pending done"]),
    );
    expect(JSON.stringify(runs)).not.toContain("warm");
  });

  it("queues one engagement run per store, however many events arrive", async () => {
    const { inngest } = await import("@/inngest/client");
    const { functions } = await import("@/inngest");
    const jobs = await readJobs({ client: inngest, functions });
    await openQueue();
    const enqueueAndRelay = async () => {
      for (const store of ["a", "b"]) {
        const facts = Array.from(
          { length: 150 },
          () => ({ name: "engagement/due", data: { client_id: store } }) as const,
        );
        await enqueue(pool(), facts);
      }
      // Several processes relay events to the engine concurrently.
      await Promise.all([relayToEngine(jobs), relayToEngine(jobs), relayToEngine(jobs)]);
    };
    const pending = () =>
      rowsOf(`select event -> 'data' ->> 'client_id' as store, started_at is null as pending from job_runs
               where ended_at is null order by store, pending`);
    await enqueueAndRelay();
    await enqueueAndRelay();
    expect(await pending()).toEqual([
      { store: "a", pending: true },
      { store: "b", pending: true },
    ]);
    await pool().query("update job_runs set status = 'running', started_at = now()");
    await enqueueAndRelay();
    expect(await pending()).toEqual([
      { store: "a", pending: false },
      { store: "a", pending: true },
      { store: "b", pending: false },
      { store: "b", pending: true },
    ]);
  });

  it("deletes photos of an import of a store that died, and keeps those with a row", async () => {
    const { startJobs, stopJobs } = await import("@/inngest/jobs");
    const { id } = await aClient();
    const kept = new Blob([new Uint8Array(await photograph(900, 700).jpeg().toBuffer())]);
    await storeUpload({ id }, kept);
    const [{ key }] = await rowsOf("select key from uploads");
    const unused = "f".repeat(32);
    const fileOf = (folder: string) => `${folderOf(folder)}/original.jpg`;
    await writeFile(fileOf(unused), Buffer.from("x"));
    await enqueue(pool(), [{ name: "photos/imported", data: { client_id: "gone", keys: [key, unused] } }]);
    await startJobs();
    try {
      await waitUntil(async () => (await readFile(fileOf(unused))) === null);
      expect(await readFile(fileOf(key))).not.toBeNull();
    } finally {
      await stopJobs();
    }
  });

  it("deletes what is old and keeps the rest", async () => {
    const { runJob } = await import("@/inngest/jobs");
    await makeClient("shop", {});
    await pool().query(`
      insert into submissions (client_id, fingerprint, subject_id, created_at)
        select 'shop', n::text, n::text, now() - n * interval '30 min' from generate_series(0, 9) n;
      insert into idempotency_keys (scope, key, body_hash, status, created_at)
        select 's', n::text, '', 200, now() - n * interval '10 h' from generate_series(0, 9) n;
      insert into quarantines (client_id, person_hash, last_day, erased_until)
        select 'shop', n::text, current_date - 30, case when n < 5 then current_date - n end from generate_series(0, 9) n;
      insert into outbox (name, data, relayed_at) select 'x', '{}', now() - n * interval '1 day' from generate_series(0, 9) n;
      insert into outbox (name, data, created_at) values ('not relayed', '{}', now() - interval '9 days');
      insert into job_runs (id, function_id, event_id, event, status, ended_at)
        select n::text, 'f', n::text, '{}', 'done', now() - n * interval '10 days' from generate_series(0, 9) n;`);
    const report = await runJob("clean-up");
    expect(report.runs[0]).toMatchObject({
      status: "done",
      output: {
        uploads: 0,
        submissions: 8,
        "idempotency keys": 7,
        quarantines: 4,
        outbox: 7,
        runs: 7,
        fingerprints: 0,
        sessions: 0,
      },
    });
    const { rows } = await pool().query("select from outbox where name = 'not relayed'");
    expect(rows).toHaveLength(1);
  });

  it("requests verification, and waits if the address recently got an email", async () => {
    const { startJobs, stopJobs } = await import("@/inngest/jobs");
    const collect = await import("@/app/collect/reviews/route");
    await makeClient("confirming", { require_verification: true });
    const given = { client_id: "confirming", api_key: "pk_confirming", product_id: "p", author_email: "ann@x.example" };
    const submit = (author: string) => postJson(collect.POST, "/collect/reviews", { ...given, author, score: 4 });
    await startJobs();
    try {
      expect((await submit("Ann")).status).toBe(201);
      await waitUntil(async () => (await listMails({ to: "ann@x.example" })).length === 1);
      expect((await submit("Ann again")).status).toBe(201);
      const isWaiting = async () =>
        (await pool().query("select name from job_steps where status = 'waiting' and name like 'wait%'")).rowCount ===
        1;
      await waitUntil(isWaiting);
      expect(await listMails({ to: "ann@x.example" })).toHaveLength(1);
    } finally {
      await stopJobs();
    }
  });

  it("is not served to the network", async () => {
    const { GET, POST, PUT } = await import("@/app/api/inngest/route");
    for (const handler of [GET, POST, PUT]) {
      const method = handler === GET ? "GET" : handler === POST ? "POST" : "PUT";
      const request = new Request("http://localhost/api/inngest?fnId=candor-clean-up&stepId=step", { method });
      const answer = await handler(request as never, {} as never);
      expect(answer?.status).toBe(404);
    }
  });
});
