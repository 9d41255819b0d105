import { beforeEach, describe, expect, it } from "vitest";
import { listFeeds } from "@/lib/feeds/list-imports";
import { needsAttention } from "@/lib/feeds/rules";
import { countFailures, listFailures, MAX_FAILURES } from "@/lib/insights/home/list-failures";
import { listWebhookDeliveries } from "@/lib/integrations/webhooks/list-webhooks";
import { TEST_EVENT } from "@/lib/integrations/webhooks/values";
import { countUnreplied } from "@/lib/reviews/replies/count-unreplied";
import { aClient, rowsOf, someReviews, type TestClient, uniqueName } from "@/lib/tools/test/factories";

let shop: TestClient;
beforeEach(async () => {
  shop = await aClient();
});

const admin = { role: "admin" } as const;
const aMail = (clientId: string, status: string, daysAgo = 0) =>
  rowsOf(
    `insert into mails (id, client_id, idempotency_key, kind, "to", to_key, "from", subject, status, error, created_at)
     values ($1, $2, $1, 'invitation', 'ada@x.example', 'ada@x.example', 'shop@x.example', 'Hello', $3,
             'no mailbox ada@x.example', now() - $4 * interval '1 day')`,
    [uniqueName("mail"), clientId, status, daysAgo],
  );

describe("failures", () => {
  it("counts and lists the same failures, of this client and recent only", async () => {
    const other = await aClient();
    await aMail(shop.id, "failed");
    await aMail(shop.id, "failed", 3);
    await aMail(shop.id, "failed", 40);
    await aMail(shop.id, "sent");
    await aMail(other.id, "failed");
    await rowsOf(
      `insert into feeds (client_id, id, kind, url, schedule, last_outcome, enabled)
       values ($1, 'f1', 'products', 'https://x.example/f', 'daily', 'failed', true),
              ($1, 'f2', 'products', 'https://x.example/f', 'daily', 'failed', false),
              ($1, 'f3', 'orders', 'https://x.example/f', 'daily', 'imported', true)`,
      [shop.id],
    );
    // The first two skipped more rows than they imported, whether they were read again since or not.
    await rowsOf(
      `insert into feeds (client_id, id, kind, url, schedule, last_outcome, last_read, last_rejected, enabled)
       values ($1, 'f4', 'products', 'https://x.example/f', 'daily', 'imported', 3, 2, true),
              ($1, 'f5', 'products', 'https://x.example/f', 'daily', 'unchanged', 1, 1, true),
              ($1, 'f6', 'products', 'https://x.example/f', 'daily', 'imported', 3, 3, false),
              ($1, 'f7', 'products', 'https://x.example/f', 'daily', 'imported', 4, 2, true),
              ($1, 'f8', 'products', 'https://x.example/f', 'daily', 'imported', 0, 0, true)`,
      [shop.id],
    );
    await rowsOf(
      `insert into deliveries (client_id, id, type, kind, subject, outcome, reason)
       values ($1, 'd1', 'engagement', 'interaction', 'r1', 'failed', 'no_contact'),
              ($1, 'd2', 'engagement', 'interaction', 'r2', 'sent', null)`,
      [shop.id],
    );
    await rowsOf(
      "insert into integrations (client_id, type, error) values ($1, 'commerce', 'refused the log-in'), ($1, 'share', null)",
      [shop.id],
    );
    // The first is failing; the second was disabled for it; the others work, or are paused on purpose.
    await rowsOf(
      `insert into webhooks (client_id, id, url, secrets, failing_since, disabled_at, paused_at, last_error)
       values ($1, 'w1', 'https://a.example', '', now() - interval '2 hours', null, null, 'It answered 500.'),
              ($1, 'w2', 'https://a.example', '', now() - interval '2 days', now(), null, 'It answered 410.'),
              ($1, 'w3', 'https://c.example', '', now() - interval '1 minute', null, null, 'It answered 503.'),
              ($1, 'w4', 'https://d.example', '', now() - interval '2 hours', null, now(), 'It answered 500.'),
              ($1, 'w5', 'https://e.example', '', null, null, null, null)`,
      [shop.id],
    );
    const counts = await countFailures(admin, shop);
    expect(counts).toEqual({
      mails: 2,
      feeds: 3,
      deliveries: 1,
      events: 0,
      connections: 3,
      jobs: 0,
    });
    expect((await listFeeds(shop)).filter(needsAttention).map(({ id }) => id)).toEqual(["f1", "f4", "f5"]);
    const list = await listFailures(admin, shop);
    expect(list.mails.map(({ to, error }) => [to, error])).toEqual(
      Array(2).fill(["ada@x.example", "no mailbox ada@x.example"]),
    );
    expect(list.deliveries.map(({ id, reason }) => [id, reason])).toEqual([["d1", "no_contact"]]);
    expect(list.broken).toEqual([
      { id: "commerce", what: "integration", name: "commerce", error: "refused the log-in" },
      // Two webhooks with the same address have different ids.
      { id: "w1", what: "failing", name: "https://a.example", error: "It answered 500." },
      { id: "w2", what: "disabled", name: "https://a.example", error: "It answered 410." },
    ]);
  });

  it("counts and lists failed webhook events of this client", async () => {
    const other = await aClient();
    await rowsOf(
      `insert into webhooks (client_id, id, url, secrets, created_at)
       values ($1, 'w1', 'https://a.example', '', '2026-01-01'), ($1, 'w2', 'https://b.example', '', '2026-01-02'),
              ($1, 'w3', 'https://c.example', '', '2026-01-03'), ($2, 'w1', 'https://d.example', '', '2026-01-01')`,
      [shop.id, other.id],
    );
    const events = (clientId: string, webhook: string, state: string, count: number, event = "review.created") =>
      rowsOf(
        `insert into webhook_deliveries
           (client_id, webhook_id, event, subject, data, happened_at, due_at, state, error)
         select $1, $2, $5, 'r' || n, '{}', '2026-02-01T10:00:00Z'::timestamptz + make_interval(mins => n),
                now(), $3, 'It answered 500 to ' || n || '.'
           from generate_series(1, $4) n`,
        [clientId, webhook, state, count, event],
      );
    await events(shop.id, "w1", "failed", 2);
    await events(shop.id, "w1", "sent", 3);
    await events(shop.id, "w2", "pending", 1);
    // A failed test event, and emails canceled because the customer is no longer invited.
    await events(shop.id, "w2", "failed", 2, TEST_EVENT);
    await events(shop.id, "w2", "withdrawn", 2, "invitation.handed");
    // As recorded by a process of the previous version that is still running.
    await events(shop.id, "w2", "failed", 2, "invitation.handed");
    await events(shop.id, "w3", "failed", 1);
    await events(other.id, "w1", "failed", 5);
    expect(await countFailures(admin, shop)).toMatchObject({ events: 3, connections: 0 });
    expect((await listFailures(admin, shop)).failedEvents).toEqual([
      {
        id: "w1",
        url: "https://a.example",
        events: 2,
        error: "It answered 500 to 2.",
        happened_at: "2026-02-01T10:01:00Z",
      },
      {
        id: "w3",
        url: "https://c.example",
        events: 1,
        error: "It answered 500 to 1.",
        happened_at: "2026-02-01T10:01:00Z",
      },
    ]);
    const { deliveries } = await listWebhookDeliveries(shop, "w1", { state: "failed" });
    expect(deliveries).toHaveLength(2);
    expect((await listWebhookDeliveries(shop, "w2", { state: "failed" })).deliveries).toEqual([]);
    // Counts per webhook and in total are capped.
    await events(shop.id, "w3", "failed", 150);
    expect(await countFailures(admin, shop)).toMatchObject({ events: MAX_FAILURES + 1 });
    expect((await listFailures(admin, shop)).failedEvents.map((webhook) => webhook.events)).toEqual([
      2,
      MAX_FAILURES + 1,
    ]);
  });

  it("hides addresses from those who may not see people, in every field", async () => {
    await aMail(shop.id, "failed");
    await rowsOf("update mails set subject = 'Ada, how was it?' where client_id = $1", [shop.id]);
    expect(JSON.stringify(await listFailures({ role: "viewer" }, shop))).not.toMatch(/\bada\b/i);
    expect(await listFailures(admin, shop)).toMatchObject({ mails: [{ subject: "Ada, how was it?" }] });
  });
});

it("looks for replies among the latest reviews", async () => {
  await someReviews(shop.id, [{ accepted: true }, { accepted: true }, { accepted: null }, { accepted: false }]);
  expect(await countUnreplied(shop)).toEqual({ published: 2, unreplied: 2 });
});
