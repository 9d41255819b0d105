import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { APIRequestContext, Browser } from "@playwright/test";
import pg from "pg";
import type { Notice } from "@/lib/platform/issue";
import { CommerceFake, commerceKeys } from "@/lib/tools/fakes/commerce";
import { manyOrders, sampleCatalog } from "@/lib/tools/fakes/commerce-shop";
import { DeltaShareFake } from "@/lib/tools/fakes/delta-share";
import { sampleTenant } from "@/lib/tools/fakes/delta-share-tenant";
import { EngagementFake, engagementKey } from "@/lib/tools/fakes/engagement";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { joinCluster } from "@/lib/tools/launch/postgres.mjs";
import { admin, demoLogin, expect, signIn } from "./fixtures";

// What the screenshots show in addition to the demo store: an empty store, items that rules published or held, systems
// that don't respond, and links in emails.

export const fullStore = "demo.candor.example";
export const emptyStore = "gallery-empty.example";
const storeWithVerification = "gallery-confirming.example";

/** Paths of the pages opened from emails, by the name of their screenshot. */
export type MailedPaths = Record<"invitation" | "password" | "edit" | "verify" | "opt-out", string>;

const secret = { Authorization: "Bearer sk_demo_0123456789abcdef" };

/** Waits for an email to an address and returns the path of the newest link. */
async function newestLinkTo(to: string, shape: RegExp): Promise<string> {
  let found = "";
  await expect
    .poll(
      async () => {
        const mails = await admin<{ text: string; html: string }[]>("mail", "list", "--to", to);
        found = mails.flatMap(({ text, html }) => shape.exec(text)?.[0] ?? shape.exec(html)?.[0] ?? []).at(-1) ?? "";
        return found;
      },
      { timeout: 60_000 },
    )
    .not.toBe("");
  return found;
}

async function photoOf(request: APIRequestContext, name: string): Promise<{ token: string }> {
  const buffer = await readFile(path.join(root, "public/demo/photos", name));
  const multipart = {
    client_id: fullStore,
    api_key: "pk_demo_0123456789abcdef",
    file: { name, mimeType: "image/jpeg", buffer },
  };
  return (await request.post("/uploader", { multipart })).json();
}

/** A page's HTML without its scripts, which hold messages that aren't shown. */
async function shownText(request: APIRequestContext, path: string): Promise<string> {
  return (await (await request.get(path)).text()).replaceAll(/<script[\s\S]*?<\/script>/g, "");
}

/** Connects the demo store to the other systems and syncs each once. Afterwards nothing listens there. */
async function connect(request: APIRequestContext, origin: string): Promise<void> {
  const store = new CommerceFake({ ...sampleCatalog(), orders: manyOrders(12) });
  const tenant = new EngagementFake();
  const deltaShare = new DeltaShareFake(Object.values(sampleTenant()));
  const systems = {
    commerce: {
      settings: { orders_url: await store.listen(), auth: "oauth1", requests_per_second: 20 },
      secrets: commerceKeys,
    },
    engagement: { settings: { base_url: await tenant.listen() }, secrets: { api_key: engagementKey } },
    share: { settings: {}, secrets: { profile: JSON.stringify(await deltaShare.listen()) } },
  };
  const post = async (path: string, data: object) => {
    const address = `/portal/api/v1/integrations${path}?client_id=${fullStore}`;
    const answer = await request.post(address, { headers: { origin }, data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  };
  for (const [kind, system] of Object.entries(systems)) {
    await post("", { kind, ...system });
    await post(`/${kind}/sync`, {});
    const page = () => shownText(request, `/portal/integrations/${kind}?client_id=${fullStore}`);
    await expect.poll(page, { timeout: 120_000 }).not.toMatch(/Syncing/);
  }
  await Promise.all([store.close(), tenant.close(), deltaShare.close()]);
}

/** Adds a feed with some invalid rows and one whose server doesn't respond. Each is fetched once. */
async function addFeeds(request: APIRequestContext, origin: string): Promise<void> {
  const rows = [
    "order_id,customer_id,customer_name,customer_email,sku,delivery_date",
    `FEED-1,C-901,Nora Lie,nora@people.example,FF-MUG-SAND,${new Date().toISOString().slice(0, 10)}`,
    ",C-902,Ole Dahl,ole@people.example,FF-MUG-MOSS,",
    "FEED-3,C-903,Pia Vik,pia@people.example,FF-CLOCK-ASH,soon",
  ];
  const shop = createServer((_, answer) => answer.end(rows.join("\n"))).listen(0, "127.0.0.1");
  await once(shop, "listening");
  const { port } = shop.address() as AddressInfo;
  for (const [kind, url] of [
    ["orders", `http://127.0.0.1:${port}/orders.csv`],
    ["products", "http://127.0.0.1:9/products.xml"],
  ]) {
    const data = { kind, url, format: null, schedule: "daily", enabled: true, mapping: {} };
    const answer = await request.post(`/portal/api/v1/feeds?client_id=${fullStore}`, { headers: { origin }, data });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  const page = () => shownText(request, `/portal/feeds?client_id=${fullStore}`);
  await expect.poll(page, { timeout: 120_000 }).not.toContain("Fetching");
  shop.close();
}

/** Like `encodeNotices`, whose module Playwright can't load because it imports JSON. */
const encodeNotice = (notice: Notice) => JSON.stringify([notice]);

/** Inserts past webhook deliveries with SQL: real retries take a day. */
async function addPastEvents(): Promise<void> {
  const cluster = await joinCluster(process.env.E2E_DATA_DIR ?? "");
  const db = new pg.Client({ connectionString: cluster.url("candor") });
  await db.connect();
  try {
    await db.query(
      `insert into webhook_deliveries
         (client_id, webhook_id, event, subject, data, happened_at, due_at, tried_at, state, attempts, status, error)
       select w.client_id, w.id, e.event, e.subject, '{}', now() - e.ago, now() - e.ago, now() - e.ago, e.state, e.attempts, e.status, e.error
         from webhooks w cross join (values
           ('review.created', 'rev_taken', interval '3 days', 'sent', 1, 204, null),
           ('webhook.test', 'test', interval '3 days', 'failed', 1, 404, $2::text),
           ('review.accepted', 'rev_refused', interval '2 days', 'failed', 14, 422, $3::text),
           ('review.created', 'rev_refused', interval '2 days', 'failed', 13, 422, $3::text),
           ('invitation.handed', 'inv_objected', interval '1 day', 'withdrawn', 1, null, $4::text)
         ) e(event, subject, ago, state, attempts, status, error)
        where w.client_id = $1`,
      [
        fullStore,
        encodeNotice({ reason: "receiver_refused", params: { status: 404 } }),
        encodeNotice({ reason: "receiver_refused", params: { status: 422 } }),
        encodeNotice({ reason: "customer_unsubscribed" }),
      ],
    );
  } finally {
    await db.end();
    await cluster.release();
  }
}

/** Creates all data of the screenshots. */
export async function createScreenshotData(request: APIRequestContext, browser: Browser): Promise<MailedPaths> {
  await admin("client", "create", "--id", emptyStore, "--set", "display_name=Nothing Yet");
  const { public_key } = await admin<{ public_key: string }>(
    ...["client", "create", "--id", storeWithVerification],
    ...["--set", "display_name=Lamp & Sons", "require_verification=true"],
  );

  // A system that doesn't respond.
  await admin(
    "webhook",
    "create",
    "--client",
    fullStore,
    "--url",
    "http://127.0.0.1:9/hook",
    "--event",
    "review.created",
  );
  await addPastEvents();

  // Rules publish a review with two photos and hold another. The author of a third is emailed a rejection.
  await admin("client", "set", fullStore, "auto_moderate=true", 'rules={"photo":{"on":false}}');
  const product = { product_id: "FF-CHAIR-OAK", product_name: "Oak chair", lang: "en" };
  const post = async (data: object, client = fullStore, key = "pk_demo_0123456789abcdef") =>
    expect(
      (
        await request.post("/collect/reviews", { data: { client_id: client, api_key: key, ...product, ...data } })
      ).status(),
    ).toBe(201);
  await post({
    author: "Signe",
    score: 5,
    content: "We have two of these by the window now. They’re light enough to move around and don’t creak.",
    images: [await photoOf(request, "chair-window.jpg"), await photoOf(request, "mug-morning.jpg")],
  });
  await post({
    author: "Rolf",
    score: 2,
    content:
      "The seat is fine, but it was 40 euros cheaper at www.chairs.example. Call me at +49 151 23456789 for details.",
  });
  await post({
    author: "Astrid",
    author_email: "astrid@people.example",
    score: 3,
    content: "The package arrived late and the box was wet.",
  });
  await post(
    { author: "Bo", author_email: "bo@people.example", score: 4, content: "Comfortable and sturdy." },
    storeWithVerification,
    public_key,
  );
  const all = async () =>
    (await (await request.get("/v1/reviews?limit=1000", { headers: secret })).json()).data as {
      id: string;
      author: string;
      accepted: boolean | null;
    }[];
  await expect
    .poll(async () => (await all()).find(({ author }) => author === "Signe")?.accepted, { timeout: 60_000 })
    .toBe(true);
  await expect
    .poll(async () => (await all()).find(({ author }) => author === "Astrid")?.accepted, { timeout: 60_000 })
    .not.toBeUndefined();
  const late = (await all()).find(({ author }) => author === "Astrid");
  const review = { accepted: false, reject_reason: "not_about_product", notify: true };
  expect((await request.put(`/v1/reviews/${late?.id}`, { headers: secret, data: { review } })).status()).toBe(200);

  await admin("jobs", "run", "send-invitations", "--client", fullStore);

  const page = await (await browser.newContext({ baseURL: process.env.E2E_URL ?? "", locale: "en-US" })).newPage();
  await signIn(page, demoLogin);
  const origin = new URL(page.url()).origin;
  const invited = await page.request.post(`/portal/api/v1/users?client_id=${fullStore}`, {
    headers: { origin },
    data: { email: "mia@people.example", name: "Mia Lund", role: "moderator" },
  });
  expect(invited.status()).toBe(201);
  await addFeeds(page.request, origin);
  await connect(page.request, origin);
  await page.context().close();
  const mails = await admin<{ to: string; text: string }[]>("mail", "list");
  const invitation = mails.find(({ text }) => /\/r\/[\w-]+/.test(text));
  return {
    invitation: /\/r\/[\w-]+/.exec(invitation?.text ?? "")?.[0] ?? "",
    "opt-out": /\/o\/[\w.-]+/.exec(invitation?.text ?? "")?.[0] ?? "",
    password: await newestLinkTo("mia@people.example", /\/portal\/password\/[\w-]+/),
    edit: await newestLinkTo("astrid@people.example", /\/edit\/[\w.-]+/),
    verify: await newestLinkTo("bo@people.example", /\/verify\/[\w.-]+/),
  };
}
