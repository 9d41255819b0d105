import { beforeAll, describe, expect, it } from "vitest";
import { listAudit } from "@/lib/accounts/list-audit";
import { listPeople } from "@/lib/accounts/list-people";
import { getAnalytics } from "@/lib/analytics/get-analytics";
import type { Actor } from "@/lib/auth/actor";
import { listImports } from "@/lib/feeds/list-imports";
import { countFailures, listFailures } from "@/lib/home/list-failures";
import { listDeliveries } from "@/lib/integrations/list-integrations";
import { listRuns as listIntegrationRuns } from "@/lib/integrations/note-run";
import { listRuns } from "@/lib/jobs/list-runs";
import { pageMails } from "@/lib/mail/page-mails";
import { listRecentOrders } from "@/lib/orders/list-recent-orders";
import { listRegister } from "@/lib/personal-data/list-register";
import { getProductPage } from "@/lib/products/get-product-page";
import { listCatalogue } from "@/lib/products/list-catalogue";
import { countWaiting } from "@/lib/queue/count-waiting";
import { listQueue } from "@/lib/queue/list-queue";
import { QueueFilter } from "@/lib/queue/schema";
import { aClient, rowsOf, type TestClient } from "@/lib/test/factories";
import { workOfVerb } from "@/lib/test/plans";
import { listWebhookDeliveries } from "@/lib/webhooks/list-webhooks";

// What a page of each of the portal's lists reads, with whichever filter, while there is so much else that a list which
// looks through all of it, counts it or steps over it shows: rows, not time, since a busy machine must not decide. What is
// rare lies at the far end, so that a list which walks until it has enough walks through everything.

const ROWS = 20_000;
/** Rows that a page may touch: its own with what hangs on each, and never a share of all. */
const PAGE = 600;
const RARE = 5;

let shop: TestClient;
let admin: Actor;
const moderator = { role: "moderator" as const };
const url = new URL("http://localhost/list");

/**
 * Rows of a table, the rarest first, a second apart; `n` counts them. Analyzed at once: where PostgreSQL still takes a
 * table for empty, the rows that refer to it are checked by looking through all of it, each, until the statement's time is over.
 */
const fill = async (table: string, columns: string, values: string) => {
  await rowsOf(
    `insert into ${table} (client_id, ${columns})
     select $1, ${values} from generate_series(1, ${ROWS}) n`,
    [shop.id],
  );
  await rowsOf(`analyze ${table}`);
};
const at = `now() - make_interval(secs => ${ROWS} - n)`;
const rare = (seldom: string, often: string) => `case when n <= ${RARE} then '${seldom}' else '${often}' end`;

beforeAll(async () => {
  shop = await aClient();
  admin = {
    kind: "user",
    id: "usr_lists",
    role: "operator",
    clients: "all",
    accountId: null,
    wholeAccount: true,
  } as unknown as Actor;
  await fill(
    "products",
    "id, family_id, name, brand, deleted",
    `'p' || n, 'f' || n / 4, 'Lamp ' || n, 'Lanterna', n <= ${RARE}`,
  );
  await fill("customers", "id, id_hash, email, email_key", "'c' || n, 'h' || n, n || '@x.example', n || '@x.example'");
  await fill("orders", "id, customer_id, created_at", `'o' || n, 'c' || n, ${at}`);
  await fill(
    "order_items",
    "order_id, id, position, reviewable, created_at",
    `'o' || n, ${rare("seldom", "often")}, 0, true, ${at}`,
  );
  await fill(
    "invitations",
    "id, status, day, lang, sent_at, customer_id, created_at",
    `'i' || n, 'sent', current_date - (${ROWS} - n) / 500, 'en', now(), 'c' || n, ${at}`,
  );
  await fill(
    "invitation_items",
    "invitation_id, order_id, item_id, position",
    `'i' || n, 'o' || n, ${rare("seldom", "often")}, 0`,
  );
  await fill(
    "mails",
    `id, idempotency_key, kind, "to", to_key, "from", subject, status, created_at`,
    `'m' || n, 'k' || n, 'invitation', n || '@x.example', ${rare("ada@x.example", "b@x.example")}, 'shop@x.example', 'Hi', ${rare("kept", "sent")}, ${at}`,
  );
  await rowsOf(
    `insert into job_runs (id, function_id, event_id, event, status, queued_at, ended_at)
     select 'r' || n, 'candor-work', 'e' || n, '{"name":"work"}', ${rare("failed", "done")}, ${at}, now() from generate_series(1, ${ROWS}) n`,
  );
  await rowsOf("analyze job_runs");
  await fill(
    "audit_entries",
    "at, actor_kind, actor_id, action, subject",
    `${at}, 'user', ${rare("usr_seldom", "usr_often")}, ${rare("personal_data.erased", "settings.changed")}, 's' || n`,
  );
  await rowsOf("insert into integrations (client_id, type, updated_at) values ($1, 'engagement', now())", [shop.id]);
  await fill(
    "deliveries",
    "id, type, kind, subject, outcome, created_at",
    `'d' || n, 'engagement', 'review', 's' || n, ${rare("failed", "sent")}, ${at}`,
  );
  for (const id of ["hook", "full"])
    await rowsOf(
      "insert into webhooks (client_id, id, url, events, secrets) values ($1, $2, 'https://hooks.invalid/', '{review.created}', '')",
      [shop.id, id],
    );
  for (const [hook, state] of [
    ["hook", rare("failed", "sent")],
    ["full", "'pending'"],
  ])
    await fill(
      "webhook_deliveries",
      "webhook_id, event, subject, data, happened_at, state, due_at",
      `'${hook}', 'review.created', 's' || n, '{}', ${at}, ${state}, now()`,
    );
  await fill("integration_runs", "id, type, started_at, outcome", `'run' || n, 'engagement', ${at}, 'done'`);
  await fill("feed_imports", "id, kind, source, status, started_at", `'imp' || n, 'products', 'feed', 'done', ${at}`);
  await fill(
    "reviews",
    "id, source, date, feedback_token, created_at, accepted, accepted_at, decided_at, product_id, family_id, score, lang",
    `to_char(n, 'FM0000000000000000'), 'web', (${at})::date, 'reviews/' || $1 || n, ${at},
     case when n <= ${RARE} then null else n % 50 <> 0 end, case when n > ${RARE} and n % 50 <> 0 then now() end, now(), 'p' || n % 20, 'f1', 4, 'en'`,
  );
  await fill(
    "uploads",
    "token, key, format, width, height, sizes, bytes, claimed_at, subject_kind, subject_id, queued_at, accepted",
    `'t' || to_char(n, 'FM00000'), 'lists' || n, 'jpeg', 1, 1, '{"icon":[1,1],"medium":[1,1],"large":[1,1]}', 1, now(), 'review',
     to_char(n, 'FM0000000000000000'), ${at}, case when n <= ${RARE} then null else n % 50 <> 0 end`,
  );
}, 300_000);

type Pages = { data?: unknown[]; links?: { next?: string }; next?: string | null };
/** The cursor of the page after this one. */
const cursorOf = (page: unknown): string | undefined => {
  const { next, links } = page as Pages;
  return next ?? (links?.next && new URL(links.next).searchParams.get("after")) ?? undefined;
};

const filterOf = (given: object) => QueueFilter.parse(given);
const queueOf = (given: object) => (after?: string) =>
  listQueue(
    moderator,
    { id: shop.id, require_verification: false },
    { ...filterOf(given), client_id: shop.id, after },
    url,
  );

const lists: [name: string, page: (after?: string) => Promise<unknown>, most?: number][] = [
  ["orders", (after) => listRecentOrders(moderator, shop.client, { after })],
  ["orders by id", () => listRecentOrders(moderator, shop.client, { q: "o7" })],
  ["orders by address", () => listRecentOrders(moderator, shop.client, { q: "9@x.example" })],
  ["orders by a SKU that is rare", () => listRecentOrders(moderator, shop.client, { q: "seldom" })],
  ["orders by a SKU that is in all", () => listRecentOrders(moderator, shop.client, { q: "often" })],
  ["orders by what there is not", () => listRecentOrders(moderator, shop.client, { q: "nothing" })],
  ["products", (after) => listCatalogue(shop.client, { after })],
  ["products of a family", () => listCatalogue(shop.client, { family: "f7" })],
  ["products that left the feed", () => listCatalogue(shop.client, { state: "deleted" }), ROWS + PAGE],
  ["the mailbox", (after) => pageMails({ after })],
  ["mails to one address", () => pageMails({ to: "Ada@x.example" })],
  ["jobs", () => listRuns({ limit: 200 })],
  ["jobs that failed", () => listRuns({ limit: 200, status: "failed" })],
  ["the audit", (after) => listAudit(admin, shop.client, { client_id: shop.id, after }, url)],
  [
    "the audit of a day",
    () => listAudit(admin, shop.client, { client_id: shop.id, from: "2001-01-01", to: "2001-01-01" }, url),
  ],
  [
    "the audit of what is rare",
    () => listAudit(admin, shop.client, { client_id: shop.id, what: "personal_data" }, url),
    5_000 + PAGE,
  ],
  [
    "the audit of who did little",
    () => listAudit(admin, shop.client, { client_id: shop.id, who: "usr_seldom" }, url),
    5_000 + PAGE,
  ],
  ["the register of requests", () => listRegister(shop.client, {}, url)],
  ["failures", () => listFailures(moderator, shop.client)],
  ["the number of failures", () => countFailures({ role: "operator" }, shop.client)],
  ["people", () => listPeople(admin, shop.client)],
  ["what an integration sent", (after) => listDeliveries(shop.client, "engagement", { after })],
  ["what an integration could not send", () => listDeliveries(shop.client, "engagement", { outcome: "failed" })],
  [
    "what an integration skipped, which is nothing",
    () => listDeliveries(shop.client, "engagement", { outcome: "skipped" }),
  ],
  ["runs of an integration", () => listIntegrationRuns(shop.client, "engagement")],
  ["what a webhook was told", (after) => listWebhookDeliveries(shop.client, "hook", { after })],
  ["what a webhook could not be told", () => listWebhookDeliveries(shop.client, "hook", { state: "failed" })],
  [
    "what waits for a webhook, which is nothing",
    () => listWebhookDeliveries(shop.client, "hook", { state: "pending" }),
  ],
  ["imports", (after) => listImports(shop.client, { after })],
  ["what waits", () => countWaiting(admin, shop.client)],
  ["photos that wait", queueOf({ kind: "photo" })],
  ["photos that were accepted", queueOf({ kind: "photo", status: "accepted" })],
  ["photos that were rejected", queueOf({ kind: "photo", status: "rejected" })],
  ["all photos", queueOf({ kind: "photo", status: "all" })],
  ["photos of a review", queueOf({ kind: "photo", status: "all", q: "0000000000000007" })],
];

describe("a page of the portal", () => {
  it.each(lists)("reads no share of all there is: %s", async (_, page, most = PAGE) => {
    const first = await workOfVerb(() => page());
    expect(first.read).toBeLessThanOrEqual(most);
    expect(first.sorted).toBeLessThanOrEqual(most);
    const after = cursorOf(await page());
    if (after === undefined) return;
    const second = await workOfVerb(() => page(after));
    expect(second.read, "the next page").toBeLessThanOrEqual(most);
    expect(second.sorted, "the next page").toBeLessThanOrEqual(most);
  });
});

describe("pictures over time", () => {
  it("of a product read its own reviews, by an index", async () => {
    const { read, whole } = await workOfVerb(() => getProductPage(shop.client, "p7"));
    expect(read).toBeLessThanOrEqual(ROWS / 20 + PAGE);
    expect(whole.filter((table) => table === "reviews")).toEqual([]);
  });

  it("of a client read each review and mail of the time a few times, and what they are about once", async () => {
    const { read } = await workOfVerb(() => getAnalytics(shop.client, { months: 6, by: "brand" } as never));
    expect(read).toBeLessThanOrEqual(4 * ROWS + PAGE);
  });
});
