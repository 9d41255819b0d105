import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { runJob } from "@/inngest/jobs";
import { listFailures } from "@/lib/insights/home/list-failures";
import { errorLinesOf } from "@/lib/platform/jobs/run-job-now";
import { emptyDatabase } from "@/lib/tools/test/database";
import { rowsOf } from "@/lib/tools/test/factories";
import { makeClient, makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";
import { startAdmin } from "@/lib/tools/test/program";
import { resendFake } from "@/lib/tools/test/resend-fake";
import { changeSettings } from "@/lib/tools/test/with-settings";

// Jobs while the mail server is unavailable: their errors, and the admin command's exit status. Nothing listens at port
// 9.
beforeAll(() => changeSettings({ SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "reviews@candor.example" }));

beforeEach(emptyDatabase);
let service: Awaited<ReturnType<typeof resendFake>>;
beforeAll(async () => {
  service = await resendFake(Array(20).fill({ status: 503, message: "Down for maintenance", retryAfter: "3600" }));
});
afterAll(() => service.close());

/** Two quick retries, then a long wait. */
const backoff = (attempt: number) => (attempt < 2 ? 20 : 3_600_000);

async function shopWithDueOrder(): Promise<void> {
  const client = await makeClient("shop", {});
  await makeCustomer(client, { id: "k1", email: "customer@x.example", name: "Anna" });
  const delivery_date = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
  await makeOrder(client, "o1", "k1", [{ id: "p1", name: "Lamp", delivery_date }]);
}

it("reports why a run will be retried", async () => {
  await shopWithDueOrder();
  const report = await runJob("send-invitations", { backoff });
  expect(report.settled).toBe(false);
  expect(errorLinesOf(report)).toEqual([
    expect.stringMatching(
      /^send-invitation will be retried: The email service didn’t accept the email: SMTP: .*ECONNREFUSED/,
    ),
  ]);
  expect(JSON.stringify(report)).not.toContain("customer@x.example");
});

it("reports overdue emails that can't be sent as a failing job", async () => {
  await makeClient("shop", {});
  await rowsOf(
    `insert into mails (id, client_id, idempotency_key, kind, "to", to_key, "from", subject, html, text, status, created_at)
     values ('m', 'shop', 'k', 'verification', 'a@x.example', 'a@x.example', 's@x.example', 'Hi', 'Hi', 'Hi', 'queued',
             now() - interval '4 hours')`,
  );
  const report = await runJob("send-pending-mails", { backoff: () => 20 });
  expect(errorLinesOf(report)).toEqual([expect.stringMatching(/^send-pending-mails failed: .*ECONNREFUSED/)]);
  expect((await listFailures({ role: "operator" }, { id: "shop" })).jobs).toMatchObject([
    { job: "send-pending-mails", error: expect.stringMatching(/ECONNREFUSED/) },
  ]);
});

it("the command exits with status 1 and the reason on standard error, and with 0 on success", async () => {
  await shopWithDueOrder();
  const env = { SMTP_URL: "", ...service.settings };
  const ended = await startAdmin(["jobs", "run", "send-invitations", "--json"], { env }).printed;
  expect(ended.status).toBe(1);
  expect(ended.err.trimEnd()).toMatch(
    /^send-invitation will be retried: The email service didn’t accept the email: .*maintenance/,
  );
  expect(ended.err.trimEnd()).not.toContain("\n");
  expect(JSON.parse(ended.out)).toMatchObject({ function: "send-invitations", settled: false });
  const fine = await startAdmin(["jobs", "run", "clean-up", "--json"], { env }).printed;
  expect({ status: fine.status, err: fine.err }).toEqual({ status: 0, err: "" });
});
