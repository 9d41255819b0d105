import { globSync } from "node:fs";
import path from "node:path";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { admin, createPerson, demoLogin, expect, signIn, test, uniqueName } from "./fixtures";

// Which roles can open which pages of the portal. Pages above a role, and pages of other accounts, return 404.

const roles = ["viewer", "moderator", "admin", "operator"] as const;
type Role = (typeof roles)[number];

/** Pages, by folder, that need more than a viewer. */
const minimumRole: Record<string, Role> = {
  "integrations/[kind]": "moderator",
  "integrations/[kind]/settings": "admin",
  imports: "admin",
  privacy: "admin",
  setup: "admin",
  "settings/people": "admin",
  "settings/keys": "admin",
  audit: "admin",
  mailbox: "operator",
  jobs: "operator",
  accounts: "operator",
};
/** Pages without data in this test: detail pages, whose lists are checked instead, and those of test stores. */
const pagesWithoutData = [
  "feeds/[id]",
  "imports/[id]",
  "mailbox/[id]",
  "products/[id]",
  "recording",
  "seller_reviews/[id]",
];
/** Personal pages, independent of the client in the URL. */
const personalPages = ["account", "notifications"];

const folder = "app/portal/(member)";
const pages = globSync(`${folder}/**/page.tsx`, { cwd: root })
  .map((file) => path.dirname(path.relative(folder, file)).replace(/^\.$/, ""))
  .filter((name) => !pagesWithoutData.includes(name))
  .sort();

for (const role of roles)
  test(`a ${role} has the pages of the role, and none of another account`, async ({ page, request }) => {
    const shop = `${uniqueName(`roles-${role}`)}.example`;
    const otherStore = `foreign-${shop}`;
    const idsByStore = new Map<string, Record<string, string>>();
    for (const client of [shop, otherStore]) {
      const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", client);
      const { secret } = await admin<{ secret: string }>("key", "create", "--client", client);
      const { id: webhook } = await admin<{ id: string }>(
        ...["webhook", "create", "--client", client, "--url", "http://127.0.0.1:9/hook"],
      );
      const headers = { Authorization: `Bearer ${secret}` };
      const common = { client_id: client, api_key: public_key, product_id: "P-1", product_name: "Lamp", author: "Ann" };
      const asker = { author_email: `c@${client}`, mail_answer: "false" };
      const customer = { id: "C-1", email: `c@${client}` };
      const order = { id: "O-1", customer, items: [{ id: "P-1", delivery_date: "2026-01-01" }] };
      for (const [to, data] of [
        ["/collect/reviews", { ...common, score: 4, content: "Glows warmly." }],
        ["/collect/questions", { ...common, ...asker, question: "Which bulb does it take?" }],
        ["/v1/orders", { order }],
      ] as const)
        expect((await request.post(to, { data, ...(to === "/v1/orders" ? { headers } : {}) })).ok(), to).toBe(true);
      const first = async (list: string): Promise<string> =>
        (await (await request.get(`/v1/${list}`, { headers })).json()).data[0].id;
      idsByStore.set(client, {
        "reviews/[id]": await first("reviews"),
        "questions/[id]": await first("questions"),
        "orders/[id]": "O-1",
        "integrations/[kind]": "engagement",
        "integrations/[kind]/settings": "engagement",
        "integrations/webhooks/[id]": webhook,
      });
    }
    await signIn(page, role === "operator" ? demoLogin : await createPerson(`roles-${role}`, role, shop));
    const statuses = async (client: string, ownClient = client, names = pages) => {
      const found: [string, number][] = [];
      for (const name of names) {
        const at = name.replace(/\[\w+\]/, idsByStore.get(ownClient)?.[name] ?? "");
        const answer = await page.request.get(`/portal/${at}?client_id=${client}`, { maxRedirects: 0 });
        found.push([name, answer.status()]);
      }
      return found;
    };
    const canOpen = (name: string) => roles.indexOf(role) >= roles.indexOf(minimumRole[name] ?? "viewer");
    expect(await statuses(shop)).toEqual(pages.map((name) => [name, canOpen(name) ? 200 : 404]));
    // Operators can open all accounts.
    const canOpenForeign = (name: string) => role === "operator" || personalPages.includes(name);
    expect(await statuses(otherStore)).toEqual(pages.map((name) => [name, canOpenForeign(name) ? 200 : 404]));
    // Another client's items don't exist below the own client's id either. (Every client has an order O-1.)
    const others = ["reviews/[id]", "questions/[id]", "integrations/webhooks/[id]"];
    expect(await statuses(shop, otherStore, others)).toEqual(others.map((name) => [name, 404]));
    expect(pages.length).toBeGreaterThan(30);
  });
