import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as hooks from "@/app/portal/api/v1/webhooks/route";
import { startJobs } from "@/inngest/jobs";
import { reclaimLeases } from "@/lib/integrations/reclaim-leases";
import { deliverDueEvents, renewLeases } from "@/lib/integrations/webhooks/deliver-due";
import { sealAddress } from "@/lib/integrations/webhooks/rows";
import { isHolderDeadSql, leaseHolder } from "@/lib/platform/db/lease-holder";
import { pool } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { EngineSession } from "@/lib/platform/jobs/session";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { call } from "@/lib/tools/test/call";
import { emptyDatabase } from "@/lib/tools/test/database";
import { aClient, aMember, rowsOf } from "@/lib/tools/test/factories";
import { type WebhookReceiver, webhookReceiver } from "@/lib/tools/test/webhook-receiver";

let receiver: WebhookReceiver;
let release = () => {};
let shop: Awaited<ReturnType<typeof aClient>>;
let webhook: string;
beforeEach(async () => {
  await emptyDatabase();
  receiver = await webhookReceiver();
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.beforeAnswer = () => held;
  shop = await aClient();
  const admin = await aMember(shop, "admin");
  const body = { url: "https://hooks.invalid/in" };
  const made = await call(hooks, "POST", "/portal/api/v1/webhooks", { ...admin, body });
  webhook = made.json.data.id;
  receiver.secret = made.json.data.secret;
  const { url, sealed_url } = sealAddress(receiver.url);
  await pool().query("update webhooks set url = $2, sealed_url = $3 where id = $1", [webhook, url, sealed_url]);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  release();
  await receiver.stop();
});

const happens = () => enqueue(pool(), [{ name: "review/submitted", data: { client_id: shop.id, review_id: "r" } }]);
const lease = async () =>
  (
    await rowsOf(
      "select id, attempts, leased_by, extract(epoch from due_at - now())::float8 as seconds from webhook_deliveries",
    )
  )[0]!;

describe("a lease", () => {
  it("of an event is renewed while its receiver is responding", async () => {
    await happens();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const sending = deliverDueEvents(shop.id, webhook, { allows: () => true });
    await vi.waitFor(() => expect(receiver.requestCount).toBe(1), { timeout: 10_000 });
    expect((await lease()).seconds).toBeLessThanOrEqual(60);
    await pool().query("update webhook_deliveries set due_at = now() + interval '5 seconds'");
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitFor(async () => expect((await lease()).seconds).toBeGreaterThan(30));
    release();
    expect(await sending).toMatchObject({ sent: 1 });
  }, 30_000);

  it("of an event that expired before the event was sent leaves it to others", async () => {
    await happens();
    vi.spyOn(performance, "now").mockReturnValueOnce(performance.now() - 60_000);
    await expect(deliverDueEvents(shop.id, webhook, { allows: () => true })).rejects.toThrow("The lease expired");
    expect(receiver.requestCount).toBe(0);
    expect((await lease()).leased_by).not.toBeNull();
  });

  it("is not renewed once it has expired, was released, or is another process's", async () => {
    for (const review_id of ["over", "back", "other", "ours"])
      await enqueue(pool(), [{ name: "review/submitted", data: { client_id: shop.id, review_id } }]);
    await pool().query(
      "update webhook_deliveries set attempts = 1, leased_by = 0, due_at = now() + interval '9 seconds'",
    );
    const held = await rowsOf("select id, attempts from webhook_deliveries");
    const change = (subject: string, what: string) =>
      pool().query(`update webhook_deliveries set ${what} where subject = $1`, [subject]);
    await change("over", "due_at = now() - interval '1 second'");
    await change("back", "leased_by = null");
    await change("other", "attempts = 2");
    await renewLeases(shop.id, held);
    const renewed = await rowsOf("select subject from webhook_deliveries where due_at > now() + interval '30 seconds'");
    expect(renewed).toEqual([{ subject: "ours" }]);
  });

  it("is reclaimed only if its process is dead: not if it is alive or unknown", async () => {
    const session = new EngineSession();
    await session.open();
    try {
      const holders = { alive: leaseHolder(), dead: 77, unknown: 0, nobody: null };
      expect(holders.alive).toBeGreaterThan(0);
      for (const [name, holder] of Object.entries(holders)) {
        const letter = {
          to: "ann@x.example",
          from: "shop@x.example",
          replyTo: null,
          subject: name,
          html: null,
          text: name,
        };
        await queueMail({ idempotencyKey: name, clientId: shop.id, kind: "verification", ...letter });
        await pool().query(
          "update mails set handed_at = now(), doubtful_since = now(), leased_by = $2 where idempotency_key = $1",
          [name, holder],
        );
        await pool().query(
          `insert into deliveries (client_id, id, type, kind, subject, outcome, attempts, due_at, leased_by)
         values ($1, $2, 'engagement', 'interaction', $2, 'pending', 1, now() + interval '1 minute', $3)`,
          [shop.id, name, holder],
        );
        await enqueue(pool(), [{ name: "review/submitted", data: { client_id: shop.id, review_id: name } }]);
        await pool().query(
          "update webhook_deliveries set due_at = now() + interval '1 minute', leased_by = $2 where subject = $1",
          [name, holder],
        );
      }
      await reclaimLeases({ reconnectedMs: 100 });
      const free = async (text: string) => (await rowsOf(text)).map(({ name }) => name);
      expect(await free("select idempotency_key as name from mails where handed_at is null")).toEqual(["dead"]);
      expect(await free("select id as name from deliveries where due_at <= now() and leased_by is null")).toEqual([
        "dead",
      ]);
      expect(await free("select subject as name from webhook_deliveries where due_at <= now()")).toEqual(["dead"]);
      expect(await free("select idempotency_key as name from mails where doubtful_since is null")).toEqual([]);
    } finally {
      await session.close();
    }
  });

  it("is not checked a second time once the process stops", async () => {
    await happens();
    await pool().query("update webhook_deliveries set leased_by = 77");
    const stop = new AbortController();
    const starting = startJobs(stop.signal);
    stop.abort();
    await expect(starting).rejects.toThrow(/abort/i);
    expect(await rowsOf("select leased_by from webhook_deliveries")).toEqual([{ leased_by: 77 }]);
  });

  it("stays with a process that lost its connection for a moment, as when the database restarts", async () => {
    const [session, again] = [new EngineSession(), new EngineSession()];
    await session.open();
    await happens();
    const [held] = await rowsOf(
      "update webhook_deliveries set due_at = now() + interval '1 minute', leased_by = $1 returning leased_by, due_at",
      [leaseHolder()],
    );
    await session.close();
    try {
      // The first check finds no lock, the second finds it again.
      await expect
        .poll(async () => (await rowsOf(`select from webhook_deliveries where ${isHolderDeadSql("leased_by")}`)).length)
        .toBe(1);
      const queries = vi.spyOn(pool(), "query");
      const reclaiming = reclaimLeases({ reconnectedMs: 4_000 });
      await queries.mock.results[0]?.value;
      await again.open();
      await reclaiming;
      expect(await rowsOf("select leased_by, due_at from webhook_deliveries")).toEqual([held]);
    } finally {
      await again.close();
    }
  });
});
