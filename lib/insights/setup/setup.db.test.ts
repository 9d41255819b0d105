import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as setupRoute from "@/app/portal/api/v1/setup/route";
import * as senderRoute from "@/app/portal/api/v1/setup/sender/route";
import * as widgetRoute from "@/app/portal/api/v1/setup/widget/route";
import * as testOrders from "@/app/portal/api/v1/test_orders/route";
import { type ClientRow, readClient } from "@/lib/accounts/stores/get-client";
import { openInvitation } from "@/lib/forms/invitation/open-invitation";
import { MAX_PAGE_BYTES } from "@/lib/insights/load-page";
import { checkSender } from "@/lib/insights/setup/check-sender";
import { checkWidget } from "@/lib/insights/setup/check-widget";
import { getOpenSetup, getSetup } from "@/lib/insights/setup/get-setup";
import { postTestOrder } from "@/lib/insights/setup/post-test-order";
import { mailServiceOf } from "@/lib/insights/setup/rules";
import type { SetupChange } from "@/lib/insights/setup/schema";
import { claimInvitations } from "@/lib/invitations/claim-invitations";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { sendTestMail } from "@/lib/invitations/send-test-mail";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { setClient } from "@/lib/settings/set-client";
import { startDnsFake } from "@/lib/tools/fakes/dns";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  aUser,
  hashDatabase,
  rowsOf,
  someProducts,
  someReviews,
  someSellerReviews,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";
import { withSettings } from "@/lib/tools/test/with-settings";

let shop: TestClient;
beforeEach(async () => {
  shop = await aClient();
});

const viewer = { id: "nobody" };
const row = async () => (await readClient(pool(), shop.id)) as ClientRow;
const setup = async (actor = viewer) => getSetup(actor, await row());
const doneBy = async (actor: { id: string }) => (await setup(actor)).steps.filter(({ done }) => done);
/** Steps done, without the team: callers are people with access. */
const finished = async () => (await doneBy(viewer)).map(({ name }) => name).filter((name) => name !== "people");
const post = (sent: RequestOptions, email = "me@x.example") =>
  call(testOrders, "POST", `/portal/api/v1/test_orders?client_id=${shop.id}`, { ...sent, body: { email } });

describe("the steps", () => {
  it("lead from nothing to a published review, by a test order whose email is due immediately", async () => {
    expect(await setup()).toMatchObject({
      finished: 0,
      dismissed: false,
      order: null,
      isSent: false,
      storedMail: null,
      form: null,
      sender: { domain: null, check: null },
      widget: null,
      platform: "html",
    });
    await someProducts(shop.id, [{ id: "gone", deleted: true }, { id: "lamp" }]);
    expect(await finished()).toEqual(["products"]);
    const created = await post(await aMember(shop, "admin"));
    expect([created.status, created.json]).toEqual([
      201,
      { data: { order_id: expect.stringMatching(/^candor-test-/) } },
    ]);
    expect(await finished()).toEqual(["products", "order"]);
    expect(await setup()).toMatchObject({ order: created.json.data.order_id, isTest: true, isSent: false, form: null });
    const outboxEvents = await rowsOf(
      "select data from outbox where name = 'invitations/due' and data->>'client_id' = $1",
      [shop.id],
    );
    expect(outboxEvents).toHaveLength(1);
    const [invitation = ""] = await claimInvitations(shop.id);
    const items = await rowsOf("select item_id from invitation_items where client_id = $1", [shop.id]);
    expect(items).toEqual([{ item_id: "lamp" }]);
    await sendInvitation(shop.id, invitation);
    const [mail] = await rowsOf("select id, status from mails where client_id = $1", [shop.id]);
    expect(mail.status).toBe("kept");
    // A sent email wasn't opened yet; it and its form can be opened from the page.
    expect(await finished()).toEqual(["products", "order"]);
    const { storedMail, form, isSent } = await setup();
    expect([storedMail, isSent]).toEqual([mail.id, true]);
    expect((await openInvitation(form?.split("/r/")[1] ?? "")).state).toBe("open");
    await rowsOf("update invitations set clicked_at = now() where client_id = $1", [shop.id]);
    expect(await finished()).toEqual(["products", "order", "email"]);
    const [review] = await someReviews(shop.id, [{ customer_id: "candor-test", source: "invitation", accepted: null }]);
    expect(await finished()).toEqual(["products", "order", "email", "review"]);
    await rowsOf("update reviews set accepted = true, accepted_at = now() where id = $1", [review]);
    expect(await finished()).toEqual(["products", "order", "email", "review", "moderation"]);
  });

  it("count a review of the store, and imported reviews only as an import", async () => {
    await someReviews(shop.id, [{ source: "import", accepted: true }]);
    expect(await finished()).toEqual(["import"]);
    await someSellerReviews(shop.id, [{ source: "invitation", accepted: true }]);
    expect(await finished()).toEqual(["email", "review", "moderation", "import"]);
    await rowsOf("delete from reviews where client_id = $1", [shop.id]);
    expect(await finished()).toEqual(["email", "review", "moderation"]);
  });

  it("need a contact and a look for the branding", async () => {
    await setClient(shop.id, { config: { accent_color: "#aa3300" } });
    expect(await finished()).toEqual([]);
    await setClient(shop.id, { contact_email: "help@shop.example" });
    expect(await finished()).toEqual(["branding"]);
    await setClient(shop.id, { config: {} });
    expect(await finished()).toEqual([]);
    await setClient(shop.id, { config: { logo_url: "https://shop.example/logo.png" } });
    expect(await finished()).toEqual(["branding"]);
  });

  it("need another person than the one who looks", async () => {
    const id = async ({ username }: { username: string }) =>
      (await rowsOf("select id from users where username = $1", [username]))[0].id as string;
    const first = await id(await aUser("admin", { clients: [shop.id] }));
    await aUser("operator", {});
    await aUser("admin", { clients: [(await aClient()).id] });
    expect(await doneBy({ id: first })).toEqual([]);
    expect(await doneBy(viewer)).toEqual([{ name: "people", done: true, skipped: false }]);
    const second = await id(await aUser("viewer", { clients: [shop.id] }));
    expect(await doneBy({ id: first })).toHaveLength(1);
    await rowsOf("update users set disabled_at = now() where id = $1", [second]);
    expect(await doneBy({ id: first })).toEqual([]);
  });

  it("show nothing of another store", async () => {
    const other = await aClient();
    await someProducts(other.id, [{ id: "lamp" }]);
    await someReviews(other.id, [{ accepted: true }]);
    await post(await aMember(shop, "admin"));
    expect(await getSetup(viewer, other.client)).toMatchObject({ order: null });
    expect(await finished()).toEqual(["order"]);
  });
});

describe("test orders", () => {
  it("can't send emails to strangers from a public demo", async () => {
    await rowsOf("update clients set demo = true where id = $1", [shop.id]);
    const demo = (await readClient(pool(), shop.id)) as ClientRow;
    const who = { kind: "user", id: uniqueName("user") } as const;
    const forbidden = expect.objectContaining({ code: "forbidden" });
    await withSettings({ CANDOR_DEMO: "true" }, async () => {
      await expect(postTestOrder(who, demo, "stranger@x.example")).rejects.toEqual(forbidden);
      await expect(sendTestMail(shop.id, "stranger@x.example", {}, who)).rejects.toEqual(forbidden);
    });
    expect(await rowsOf("select id from orders where client_id = $1", [shop.id])).toEqual([]);
    expect(await rowsOf("select id from mails where client_id = $1", [shop.id])).toEqual([]);
  });

  it("greet in the language of their email", async () => {
    shop = await aClient({ locale: "de_DE" });
    await post(await aMember(shop, "admin"));
    const [order] = await rowsOf(
      `select c.name as customer, i.name as product from order_items i
         join customers c on c.client_id = i.client_id where i.client_id = $1`,
      [shop.id],
    );
    expect(order).toEqual({ customer: "Testkunde", product: "Testprodukt" });
  });

  it("create a test product if the catalog is empty, and require an admin", async () => {
    const [moderator, foreign] = [await aMember(shop, "moderator"), await aMember(await aClient(), "admin")];
    expect((await post(moderator)).status).toBe(403);
    expect((await post(foreign)).status).toBe(403);
    expect((await post(await aMember(shop, "admin"), "no address")).status).toBe(422);
    expect(await rowsOf("select id from orders where client_id = $1", [shop.id])).toEqual([]);
    expect((await post(await aMember(shop, "admin"))).status).toBe(201);
    expect(await claimInvitations(shop.id)).toHaveLength(1);
  });
});

describe("changes", () => {
  const change = (sent: RequestOptions, body: SetupChange | object) =>
    call(setupRoute, "PUT", `/portal/api/v1/setup?client_id=${shop.id}`, { ...sent, body });
  const skipped = async () => (await setup()).steps.filter((step) => step.skipped).map(({ name }) => name);

  it("skip a step and show it again, and leave the steps out of the home page", async () => {
    const sent = await aMember(shop, "admin");
    expect((await change(sent, { skip: "import" })).status).toBe(204);
    await change(sent, { skip: "import" });
    await change(sent, { skip: "sender", platform: "shopify" });
    expect([await skipped(), (await setup()).finished]).toEqual([["sender", "import"], 3]);
    await change(sent, { unskip: "sender" });
    await change(sent, { unskip: "widget" });
    expect([await skipped(), (await setup()).platform]).toEqual([["import"], "shopify"]);
    expect(await getOpenSetup(viewer, await row())).toMatchObject({ finished: 2 });
    await change(sent, { dismissed: true });
    expect([await getOpenSetup(viewer, await row()), (await setup()).dismissed]).toEqual([null, true]);
    await change(sent, { dismissed: false });
    expect(await getOpenSetup(viewer, await row())).toMatchObject({ finished: 2, dismissed: false });
    // A skipped step that happens after all is done.
    await someReviews(shop.id, [{ source: "import" }]);
    expect([await skipped(), await finished()]).toEqual([[], ["import"]]);
  });

  it("of several people at once are all kept", async () => {
    const sent = await aMember(shop, "admin");
    const steps = ["sender", "widget", "import"] as const;
    await Promise.all([...steps.map((skip) => change(sent, { skip })), change(sent, { dismissed: true })]);
    expect([await skipped(), (await setup()).dismissed]).toEqual([[...steps], true]);
  });

  it("are for the store's own admins, and only of steps that may be skipped", async () => {
    const before = await hashDatabase();
    const moderator = await aMember(shop, "moderator");
    const admin = await aMember(shop, "admin");
    const foreign = await aMember(await aClient(), "admin");
    expect(await hashDatabase()).not.toBe(before);
    const made = await hashDatabase();
    expect((await change(moderator, { skip: "import" })).status).toBe(403);
    expect((await change(foreign, { skip: "import" })).status).toBe(403);
    for (const body of [{ skip: "products" }, { unskip: "all" }, { dismissed: "yes" }, { platform: "ebay" }])
      expect((await change(admin, body)).status, JSON.stringify(body)).toBe(422);
    expect(await hashDatabase()).toBe(made);
  });

  it("are deleted with their store", async () => {
    await change(await aMember(shop, "admin"), { dismissed: true });
    await rowsOf("delete from clients where id = $1", [shop.id]);
    expect(await rowsOf("select client_id from store_setup where client_id = $1", [shop.id])).toEqual([]);
  });
});

describe("the widget check", () => {
  let server: Server;
  let origin: string;
  const script = (id: string, product: string) =>
    `<script async src="${env().PUBLIC_URL}/onpage/${id}/head.js" data-product-id="${product}"></script>`;
  const pages: Record<string, (response: import("node:http").ServerResponse) => void> = {
    "/own": (response) => response.end(`<h1>Lamp</h1>${script(shop.id, "lamp")}`),
    "/zipped": (response) => response.setHeader("content-encoding", "gzip").end(gzipSync(script(shop.id, "lamp"))),
    "/broken": (response) => response.setHeader("content-encoding", "gzip").end("not gzip"),
    "/moved": (response) => response.writeHead(302, { location: "/own" }).end(),
    "/plain": (response) => response.end("<h1>Lamp</h1>"),
    "/foreign": (response) => response.end(script("other.example", "lamp")),
    "/placeholder": (response) => response.end(script(shop.id, "{{ product.id }}")),
    "/unknown": (response) => response.end(script(shop.id, "sofa")),
    "/large": (response) => response.end(Buffer.alloc(MAX_PAGE_BYTES + 1)),
    "/gone": (response) => response.writeHead(410).end(),
    "/dead": (response) => void response.destroy(),
  };
  beforeAll(async () => {
    server = createServer((request, response) => pages[request.url?.split("?")[0] ?? ""]?.(response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const check = async (path: string) => checkWidget(viewer, await row(), `${origin}${path}`, { allows: () => true });

  it.each([
    ["/own", { outcome: "found", status: null, other: null }],
    ["/zipped", { outcome: "found" }],
    ["/moved", { outcome: "found" }],
    ["/plain", { outcome: "no_snippet" }],
    ["/foreign", { outcome: "other_store", other: "other.example" }],
    ["/placeholder", { outcome: "no_product" }],
    ["/unknown", { outcome: "unknown_product", other: "sofa" }],
    ["/gone", { outcome: "http_error", status: 410 }],
    ["/large", { outcome: "unreachable" }],
    ["/broken", { outcome: "unreachable" }],
    ["/dead", { outcome: "unreachable" }],
  ])("of %s", async (path, expected) => {
    await someProducts(shop.id, [{ id: "lamp" }]);
    const result = await check(path);
    expect(result).toMatchObject({ url: `${origin}${path}`, ...expected });
    expect((await setup()).widget).toEqual(result);
    expect((await finished()).includes("widget")).toBe(expected.outcome === "found");
  });

  it("needs the page's origin among the allowed ones", async () => {
    await someProducts(shop.id, [{ id: "lamp" }]);
    await setClient(shop.id, { allowed_origins: ["https://shop.example"] });
    expect(await check("/own")).toMatchObject({ outcome: "blocked_origin", other: origin });
    await setClient(shop.id, { allowed_origins: [origin] });
    expect(await check("/own")).toMatchObject({ outcome: "found" });
  });

  it("stays done if another page has no widget, and shows no credentials", async () => {
    await someProducts(shop.id, [{ id: "lamp" }]);
    await check("/own");
    const { url } = await checkWidget(viewer, await row(), `${origin.replace("//", "//ada:secret@")}/plain?q=1#x`, {
      allows: () => true,
    });
    expect(url).toBe(`${origin}/plain?q=1`);
    expect(await finished()).toEqual(["products", "widget"]);
  });

  it("is for the store's own admins, never of an internal network, and of a valid URL", async () => {
    const send = (sent: RequestOptions, url: unknown) =>
      call(widgetRoute, "POST", `/portal/api/v1/setup/widget?client_id=${shop.id}`, { ...sent, body: { url } });
    const admin = await aMember(shop, "admin");
    expect((await send(await aMember(shop, "moderator"), `${origin}/own`)).status).toBe(403);
    expect((await send(await aMember(await aClient(), "admin"), `${origin}/own`)).status).toBe(403);
    for (const url of [`${origin}/own`, "http://localhost/", "ftp://shop.example", "lamp", undefined]) {
      const { status, json } = await send(admin, url);
      expect([url, status, json.errors[0].field]).toEqual([url, 422, "url"]);
    }
    expect(await rowsOf("select client_id from store_setup where client_id = $1", [shop.id])).toEqual([]);
  });
});

describe("the sender check", () => {
  const sendFrom = (address: string) => setClient(shop.id, { config: { from_address: address } });
  const withDns = async <T>(
    records: Record<string, string[]>,
    work: (servers: string[], queries: string[]) => Promise<T>,
    fails: string[] = [],
  ): Promise<T> => {
    const dns = await startDnsFake(records, fails);
    try {
      return await work([dns.address], dns.queries);
    } finally {
      await dns.close();
    }
  };

  it("ticks once all records are there, for this address only", async () => {
    await sendFrom("reviews@Shop.example");
    const records = {
      "send.shop.example": ["v=spf1 include:amazonses.com ~all"],
      "resend._domainkey.shop.example": [`p=${"A".repeat(400)}`],
    };
    const service = mailServiceOf({ RESEND_API_KEY: "re_1" });
    const first = await withDns(records, async (servers) => checkSender(viewer, await row(), { servers, service }));
    expect(first).toMatchObject({ domain: "shop.example", ok: false });
    expect(first.records.map(({ state }) => state)).toEqual(["ok", "ok", "missing"]);
    expect([await finished(), (await setup()).sender.check]).toEqual([[], first]);
    const complete = { ...records, "_dmarc.shop.example": ["v=DMARC1; p=none"] };
    const second = await withDns(complete, async (servers) => checkSender(viewer, await row(), { servers, service }));
    expect(second.ok).toBe(true);
    expect(await finished()).toEqual(["sender"]);
    await sendFrom("reviews@other.example");
    expect(await setup()).toMatchObject({ sender: { domain: "other.example", check: null } });
    expect(await finished()).toEqual([]);
  });

  it("follows the includes of an SPF record, and says if the service isn't among them", async () => {
    await sendFrom("reviews@shop.example");
    const service = mailServiceOf({ SMTP_URL: "smtps://smtp.gmail.com" });
    const records = {
      "shop.example": ["v=spf1 include:_spf.shop.example -all"],
      "_spf.shop.example": ["v=spf1 mx include:_spf.agency.example ~all"],
      "_spf.agency.example": ["v=spf1 include:_spf.google.com ~all"],
    };
    const spf = async (given: Record<string, string[]>, fails: string[] = []) =>
      withDns(
        given,
        async (servers) => (await checkSender(viewer, await row(), { servers, service })).records[0],
        fails,
      );
    expect(await spf(records)).toMatchObject({ kind: "spf", state: "ok", suggested: null });
    expect(await spf({ ...records, "_spf.agency.example": ["v=spf1 ~all"] })).toMatchObject({
      state: "incomplete",
      suggested: "v=spf1 include:_spf.google.com include:_spf.shop.example -all",
    });
    expect(await spf(records, ["_spf.agency.example"])).toMatchObject({ state: "unavailable", suggested: null });
  });

  it("looks up an international domain, and says so if it can't", async () => {
    await sendFrom("reviews@lampenlädle.example");
    await withDns(
      {},
      async (servers, queries) => {
        const { domain, records } = await checkSender(viewer, await row(), { servers });
        expect(domain).toBe("xn--lampenldle-w5a.example");
        expect(records.map(({ kind, state }) => [kind, state])).toEqual([
          ["spf", "unavailable"],
          ["dkim", "unknown"],
          ["dmarc", "missing"],
        ]);
        expect(new Set(queries)).toContain(`_dmarc.${domain}`);
      },
      ["xn--lampenldle-w5a.example"],
    );
  });

  it("is for the store's own admins, and needs a public domain", async () => {
    const send = (sent: RequestOptions) =>
      call(senderRoute, "POST", `/portal/api/v1/setup/sender?client_id=${shop.id}`, sent);
    expect((await send(await aMember(shop, "moderator"))).status).toBe(403);
    expect((await send(await aMember(await aClient(), "admin"))).status).toBe(403);
    // Without an email service the address is that of this server: localhost.
    const refused = await send(await aMember(shop, "admin"));
    expect([refused.status, refused.json.errors[0].reason]).toEqual([409, "sender_without_domain"]);
    expect(await rowsOf("select client_id from store_setup where client_id = $1", [shop.id])).toEqual([]);
  });
});
