import { beforeEach, describe, expect, it, vi } from "vitest";
import { authenticateRequest } from "@/lib/accounts/sign-in/authenticate-request";
import { getClient } from "@/lib/accounts/stores/get-client";
import { getFunnel } from "@/lib/invitations/get-funnel";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import type * as settings from "@/lib/platform/env";
import { demoPassword, demoPasswordFrom } from "@/lib/platform/env";
import { demoCredentials, loadDemo, resetDemo } from "@/lib/tools/demo/load-demo";
import { addPastInvitations } from "@/lib/tools/demo/past-invitations";
import { basicHeader } from "@/lib/tools/test/call";
import { emptyDatabase } from "@/lib/tools/test/database";
import { aClient, anOrder, hashDatabase, rowsOf, someReviews } from "@/lib/tools/test/factories";

// The demo needs the embedded database, which the test database isn't: only this setting is mocked.
const fakeEnv = vi.hoisted(() => ({ EMBEDDED_DATABASE: true, HOST: "127.0.0.1" }));
vi.mock(import("@/lib/platform/env"), async (original) => {
  const actual: typeof settings = await original();
  return { ...actual, env: () => ({ ...actual.env(), ...fakeEnv }) };
});

beforeEach(async () => {
  Object.assign(fakeEnv, { EMBEDDED_DATABASE: true, HOST: "127.0.0.1" });
  await emptyDatabase();
});

const KEY = "sk_demo_0123456789abcdef";
const roleFor = (authorization: string, headers: Record<string, string> = {}) =>
  authenticateRequest({
    headers: new Headers({ host: "localhost:3000", authorization, ...headers }),
    url: new URL("http://localhost:3000/v1/clients"),
    method: "GET",
    address: "127.0.0.1",
  }).then(
    ({ role }) => role,
    ({ code }) => code,
  );
const rowCounts = async () =>
  (
    await rowsOf(`select (select count(*)::int from products) as products, (select count(*)::int from reviews) as reviews,
      (select count(*)::int from orders) as orders, (select count(*)::int from users) as users,
      (select count(*)::int from api_keys) as keys, (select count(*)::int from accounts) as accounts`)
  )[0];

it("adds the demo's past emails to the daily counts", async () => {
  const { id } = await aClient();
  await rowsOf(
    `insert into send_days (client_id, day, sent)
     select $1, (now() at time zone 'UTC')::date - n, 2 from generate_series(0, 31) as n`,
    [id],
  );
  await addPastInvitations(id);
  const sums = "sum(sent)::int as sent, count(*)::int as days, min(sent) as least";
  expect(await rowsOf(`select ${sums} from send_days where client_id = $1`, [id])).toEqual([
    { sent: 32 * 2 + 40, days: 32, least: 2 },
  ]);
  expect(await rowsOf("select count(*)::int as mails from invitations where client_id = $1", [id])).toEqual([
    { mails: 40 },
  ]);
});

describe("demo account", () => {
  it("is created once, and its credentials only work on this machine", async () => {
    expect(await loadDemo()).toBe(true);
    const counts = await rowCounts();
    expect(counts).toMatchObject({ users: 1, keys: 1, accounts: 1 });
    expect(Math.min(counts.products, counts.reviews, counts.orders)).toBeGreaterThan(3);
    expect(await loadDemo()).toBe(false);
    expect(await rowCounts()).toEqual(counts);
    for (const [credentials, role] of [
      [`Bearer ${KEY}`, "admin"],
      [basicHeader("demo", demoPassword()), "operator"],
    ] as const) {
      expect(await roleFor(credentials)).toBe(role);
      expect(await roleFor(credentials, { host: "reviews.example" })).toBe("unauthorized");
      expect(await roleFor(credentials, { "x-forwarded-for": "203.0.113.9" })).toBe("unauthorized");
    }
    fakeEnv.HOST = "0.0.0.0";
    expect(await roleFor(`Bearer ${KEY}`)).toBe("unauthorized");
  });

  it("has a password derived from the installation's secret", async () => {
    await loadDemo();
    const known = basicHeader("demo", "demo-password");
    expect(await roleFor(known)).toBe("unauthorized");
    const demoLogin = await demoCredentials();
    expect(demoLogin).toMatchObject({ username: "demo", key: KEY });
    expect(await roleFor(basicHeader(demoLogin.username, demoLogin.password))).toBe("operator");
    expect(demoPassword()).toMatch(/^[\w-]{20}$/);
    expect(demoPassword()).not.toBe(demoPasswordFrom("another installation's secret, 32 bytes or more"));
    expect(await roleFor(basicHeader("demo", demoPassword()))).toBe("operator");
  });

  it.each(["clients", "users", "products", "reviews", "orders", "api_keys"])(
    "is completed by the next start if the first one failed at its %s",
    async (table) => {
      await rowsOf(
        `create function end_here() returns trigger language plpgsql as 'begin raise exception ''ended''; end'`,
      );
      await rowsOf(`create trigger end_here before insert on ${table} for each row execute function end_here()`);
      try {
        await expect(loadDemo()).rejects.toThrow("ended");
      } finally {
        await rowsOf("drop function end_here cascade");
      }
      expect(await loadDemo()).toBe(true);
      expect(await rowCounts()).toMatchObject({ users: 1, keys: 1, accounts: 1 });
      expect(await roleFor(`Bearer ${KEY}`)).toBe("admin");
    },
  );

  it("is not created if other data exists or the service is public", async () => {
    fakeEnv.EMBEDDED_DATABASE = false;
    expect(await loadDemo()).toBe(false);
    await expect(resetDemo()).rejects.toMatchObject({ code: "forbidden" });
    Object.assign(fakeEnv, { EMBEDDED_DATABASE: true, HOST: "0.0.0.0" });
    expect(await loadDemo()).toBe(false);
    await expect(resetDemo()).rejects.toMatchObject({ code: "forbidden" });
    fakeEnv.HOST = "127.0.0.1";
    await aClient();
    const before = await hashDatabase();
    expect(await loadDemo()).toBe(false);
    expect(await hashDatabase()).toBe(before);
  });

  it("is reset without touching other accounts", async () => {
    const shop = await aClient();
    await anOrder(shop.id);
    await someReviews(shop.id, [{ accepted: true }, {}]);
    const otherClientsReviews = async () =>
      rowsOf("select body from reviews where client_id = $1 order by id", [shop.id]);
    const before = await otherClientsReviews();
    await resetDemo();
    const counts = await rowCounts();
    await rowsOf("delete from orders where client_id = 'demo.candor.example'");
    await rowsOf("update users set password_hash = 'x' where demo");
    await rowsOf(
      "insert into submissions (client_id, fingerprint, subject_id) values ('demo.candor.example', 'x', 'x')",
    );
    await resetDemo();
    // History and fingerprints have no foreign key, but are deleted with their client.
    expect(await rowsOf("select from submissions where client_id = 'demo.candor.example'")).toEqual([]);
    expect(
      await rowsOf(`select subject_id from moderation_events e where client_id = 'demo.candor.example' and kind = 'review'
                      and not exists (select from reviews r where (r.client_id, r.id) = (e.client_id, e.subject_id))`),
    ).toEqual([]);
    expect(await rowCounts()).toEqual(counts);
    expect(await otherClientsReviews()).toEqual(before);
    expect(await roleFor(basicHeader("demo", demoPassword()))).toBe("operator");
  });
});

it("has sent invitations of the last weeks with their outcomes", async () => {
  await resetDemo();
  const client = (await getClient("demo.candor.example"))!;
  const { total, days, products } = await getFunnel(client, {});
  expect(total).toMatchObject({
    planned: 41,
    sent: 41,
    delivered: 37,
    bounced: 4,
    opened: 25,
    clicked: 17,
    reviewed: 9,
  });
  expect(days.length).toBeGreaterThan(20);
  // Each response is an existing review of an item in the email.
  expect(products.reduce((sum, { reviewed }) => sum + reviewed, 0)).toBe(8);
  // Items of past invitations aren't invited again, and due ones still are.
  const { send, held } = await previewNextRun(client.id);
  expect(send.length).toBeGreaterThan(2);
  expect(held.filter(({ reason }) => reason === "already_invited")).toHaveLength(45);
});

it("has an order and customer for each verified buyer and an actor for each decision", async () => {
  await resetDemo();
  const countsSql = (table: string) => `select count(*)::int as verified,
      count(*) filter (where exists (select from orders o join customers c on c.client_id = o.client_id and c.id = o.customer_id
        where o.client_id = r.client_id and o.id = r.order_id and c.id = r.customer_id and c.email = r.author_email))::int as known
    from ${table} r where client_id = 'demo.candor.example' and verified_buyer`;
  expect(await rowsOf(countsSql("seller_reviews"))).toEqual([{ verified: 5, known: 5 }]);
  const [reviews] = await rowsOf(countsSql("reviews"));
  expect(reviews?.known).toBe(reviews?.verified);
  expect(reviews?.verified).toBeGreaterThan(20);
  const decided = ["review", "seller_review", "question"].map(
    (kind) =>
      `select '${kind}' as kind, id from ${kind}s where client_id = 'demo.candor.example' and accepted is not null`,
  );
  expect(
    await rowsOf(`select kind, id from (${decided.join(" union all ")}) d where not exists (
      select from moderation_events e join users u on e.actor_kind = 'user' and u.id = e.actor_id
       where e.client_id = 'demo.candor.example' and e.kind = d.kind and e.subject_id = d.id and e.action = 'decided')`),
  ).toEqual([]);
});
