import { beforeEach, expect, test } from "vitest";
import { GET, POST } from "@/app/o/[token]/route";
import { optOutLink } from "@/lib/invitations/links";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { emptyDatabase } from "@/lib/tools/test/database";
import { makeClient, makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";

let client: string;
let link: string;
let shops = 0;
beforeEach(async () => {
  await emptyDatabase();
  client = await makeClient(`stop-${++shops}`, { display_name: "Lampor & <Ljus>" });
  await makeCustomer(client, { id: "k1", email: "anna@x.example" });
  await makeOrder(client, "o1", "k1", [{ id: "p1", delivery_date: "2026-03-01" }]);
  link = optOutLink(client, personHash(client, "email", "anna@x.example"));
});

const reasons = async () => (await pool().query("select reason from suppressions")).rows.map(({ reason }) => reason);
const preview = () => withNow(new Date("2026-03-10T09:00:00Z"), () => previewNextRun(client));
const get = async (address: string, language = "en") => {
  const answer = await GET(new Request(address, { headers: { "accept-language": language } }));
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
};
const post = (address: string, init: RequestInit = {}) => POST(new Request(address, { method: "POST", ...init }));

test("shows a button when the link is opened, and changes nothing", async () => {
  const page = await get(link, "sv-SE,sv;q=0.9");
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(page.headers.get("x-robots-tag")).toContain("noindex");
  expect(page.html).toContain("Avregistrera dig från Lampor &amp; &lt;Ljus&gt;?");
  expect(page.html).not.toContain("<script");
  expect(await reasons()).toEqual([]);
});

test("shows the store's logo, color and contact, and loads no other images", async () => {
  const branding = { logo_url: "https://cdn.shop.example/logo.png", accent_color: "#0b5d3b" };
  const branded = await makeClient("stop-branded", {
    contact_email: "help@shop.example",
    contact_url: "https://shop.example/",
    config: branding,
  });
  const { html, headers } = await get(optOutLink(branded, personHash(branded, "email", "anna@x.example")));
  expect(html).toContain('<img src="https://cdn.shop.example/logo.png" alt="Lanterna"');
  expect(html).toContain('<a href="https://shop.example/" rel="noreferrer">');
  expect(html).toContain("background: #0b5d3b; color: #ffffff;");
  expect(html).toMatch(/<a href="mailto:help@shop.example"[^>]*>Contact Lanterna<\/a>/);
  expect(headers.get("content-security-policy")).toContain("img-src https://cdn.shop.example;");
  const bare = await get(link);
  expect(bare.html).not.toMatch(/<img|<a /);
  expect(bare.headers.get("content-security-policy")).not.toContain("img-src");
});

test("stops invitations with a one-click request, also if repeated and whatever its body", async () => {
  const oneClick = {
    body: "List-Unsubscribe=One-Click",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  };
  expect((await post(link, oneClick)).status).toBe(200);
  expect((await post(link)).status).toBe(200);
  expect(await reasons()).toEqual(["opt_out"]);
  expect((await preview()).held).toEqual([{ order_id: "o1", item_id: "p1", reason: "opted_out", until: null }]);
  expect((await get(link)).html).toContain("You’re unsubscribed");
});

test("can be undone by the person, but a bounce remains", async () => {
  await post(link);
  expect((await post(`${link}?again=1`)).status).toBe(200);
  expect(await reasons()).toEqual([]);
  expect((await preview()).send).toHaveLength(1);
  await pool().query(
    "insert into suppressions (client_id, email_hash, reason) select client_id, email_hash, 'bounce' from customers",
  );
  await post(`${link}?again=1`);
  expect(await reasons()).toEqual(["bounce"]);
  expect((await preview()).held).toMatchObject([{ reason: "suppressed" }]);
});

test("doesn't replace a bounce, nor does undoing it", async () => {
  const bounced =
    "insert into suppressions (client_id, email_hash, reason) select client_id, email_hash, 'bounce' from customers";
  await pool().query(bounced);
  await post(link);
  expect((await reasons()).sort()).toEqual(["bounce", "opt_out"]);
  expect((await preview()).held).toMatchObject([{ reason: "opted_out" }]);
  await post(`${link}?again=1`);
  expect(await reasons()).toEqual(["bounce"]);
  expect((await preview()).held).toMatchObject([{ reason: "suppressed" }]);
});

test("can't undo a complaint, and offers no button", async () => {
  await pool().query(
    "insert into suppressions (client_id, email_hash, reason) select client_id, email_hash, 'complaint' from customers",
  );
  await post(link);
  const { html } = await get(link);
  expect(html).toContain("You’re unsubscribed");
  expect(html).not.toContain("<form");
  const answer = await post(`${link}?again=1`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("You’re unsubscribed");
  expect(await reasons()).toEqual(["complaint"]);
});

test("works after an erasure, for one client only, and rejects invalid links", async () => {
  await makeClient("neighbour");
  await pool().query("delete from customers");
  expect((await post(link)).status).toBe(200);
  const { rows } = await pool().query("select client_id, email_hash from suppressions");
  expect(rows).toEqual([{ client_id: client, email_hash: personHash(client, "email", "ANNA@x.example ") }]);
  expect(link).not.toContain("anna");
  for (const invalidLink of [`${link}x`, link.slice(0, -4), "http://localhost:3000/o/x"]) {
    expect((await get(invalidLink)).status).toBe(404);
    expect((await post(invalidLink)).status).toBe(404);
  }
  expect(await reasons()).toHaveLength(1);
});
