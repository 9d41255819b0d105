import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { authenticate } from "@/lib/auth/authenticate";
import { hashPassword } from "@/lib/auth/password";
import { getClient } from "@/lib/clients/get-client";
import { demoCredentials, loadDemo, resetDemo } from "@/lib/demo/load-demo";
import { addPastInvitations } from "@/lib/demo/past-invitations";
import type * as settings from "@/lib/env";
import { demoPassword, demoPasswordBy } from "@/lib/env";
import { getFunnel } from "@/lib/invitations/get-funnel";
import { planInvitations } from "@/lib/invitations/plan-invitations";
import { root } from "@/lib/launch/bootstrap.mjs";
import { basicHeader } from "@/lib/test/call";
import { emptyDatabase } from "@/lib/test/database";
import { aClient, anOrder, fingerprint, rowsOf, someReviews } from "@/lib/test/factories";

// The demo belongs to the embedded database, which a test's own is not: that one setting is the test's.
const told = vi.hoisted(() => ({ EMBEDDED_DATABASE: true, HOST: "127.0.0.1" }));
vi.mock(import("@/lib/env"), async (original) => {
  const actual: typeof settings = await original();
  return { ...actual, env: () => ({ ...actual.env(), ...told }) };
});

beforeEach(async () => {
  Object.assign(told, { EMBEDDED_DATABASE: true, HOST: "127.0.0.1" });
  await emptyDatabase();
});

const KEY = "sk_demo_0123456789abcdef";
const enters = (authorization: string, headers: Record<string, string> = {}) =>
  authenticate({
    headers: new Headers({ host: "localhost:3000", authorization, ...headers }),
    url: new URL("http://localhost:3000/v1/clients"),
    method: "GET",
    address: "127.0.0.1",
  }).then(
    ({ role }) => role,
    ({ code }) => code,
  );
const counts = async () =>
  (
    await rowsOf(`select (select count(*)::int from products) as products, (select count(*)::int from reviews) as reviews,
      (select count(*)::int from orders) as orders, (select count(*)::int from users) as users,
      (select count(*)::int from api_keys) as keys, (select count(*)::int from accounts) as accounts`)
  )[0];

it("counts the demo's past mails beside those that were counted on their days", async () => {
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

describe("the demo account", () => {
  it("is made once, and its credentials count from this machine only", async () => {
    expect(await loadDemo()).toBe(true);
    const made = await counts();
    expect(made).toMatchObject({ users: 1, keys: 1, accounts: 1 });
    expect(Math.min(made.products, made.reviews, made.orders)).toBeGreaterThan(3);
    expect(await loadDemo()).toBe(false);
    expect(await counts()).toEqual(made);
    for (const [credentials, role] of [
      [`Bearer ${KEY}`, "admin"],
      [basicHeader("demo", demoPassword()), "operator"],
    ] as const) {
      expect(await enters(credentials)).toBe(role);
      expect(await enters(credentials, { host: "reviews.example" })).toBe("unauthorized");
      expect(await enters(credentials, { "x-forwarded-for": "203.0.113.9" })).toBe("unauthorized");
    }
    told.HOST = "0.0.0.0";
    expect(await enters(`Bearer ${KEY}`)).toBe("unauthorized");
  });

  it("has a password of this installation's own, also where it had the one that everybody knew", async () => {
    await loadDemo();
    const known = basicHeader("demo", "demo-password");
    expect(await enters(known)).toBe("unauthorized");
    const told = await demoCredentials();
    expect(told).toMatchObject({ username: "demo", key: KEY });
    expect(await enters(basicHeader(told.username, told.password))).toBe("operator");
    expect(demoPassword()).toMatch(/^[\w-]{20}$/);
    expect(demoPassword()).not.toBe(demoPasswordBy("another installation's secret, 32 bytes or more"));
    // As the version before left it, with somebody signed in.
    await rowsOf("update users set password_hash = $1 where demo", [await hashPassword("demo-password")]);
    const [{ version }] = await rowsOf("select session_version as version from users where demo");
    const file = "prisma/migrations/20261204025000_end_the_known_demo_password/migration.sql";
    await rowsOf(readFileSync(path.join(root, file), "utf8"));
    expect(await enters(known)).toBe("unauthorized");
    expect(await enters(basicHeader("demo", demoPassword()))).toBe("operator");
    expect(await rowsOf("select session_version - $1::int as ended from users where demo", [version])).toEqual([
      { ended: 1 },
    ]);
  });

  it.each(["clients", "users", "products", "reviews", "orders", "api_keys"])(
    "is made whole by the next start when the first one ended at its %s",
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
      expect(await counts()).toMatchObject({ users: 1, keys: 1, accounts: 1 });
      expect(await enters(`Bearer ${KEY}`)).toBe("admin");
    },
  );

  it("is not made where somebody's data is, nor where it may be reached from elsewhere", async () => {
    told.EMBEDDED_DATABASE = false;
    expect(await loadDemo()).toBe(false);
    await expect(resetDemo()).rejects.toMatchObject({ code: "forbidden" });
    Object.assign(told, { EMBEDDED_DATABASE: true, HOST: "0.0.0.0" });
    expect(await loadDemo()).toBe(false);
    await expect(resetDemo()).rejects.toMatchObject({ code: "forbidden" });
    told.HOST = "127.0.0.1";
    await aClient();
    const before = await fingerprint();
    expect(await loadDemo()).toBe(false);
    expect(await fingerprint()).toBe(before);
  });

  it("is dropped and made anew without touching anybody else's", async () => {
    const shop = await aClient();
    await anOrder(shop.id);
    await someReviews(shop.id, [{ accepted: true }, {}]);
    const others = async () => rowsOf("select body from reviews where client_id = $1 order by id", [shop.id]);
    const before = await others();
    await resetDemo();
    const made = await counts();
    await rowsOf("delete from orders where client_id = 'demo.candor.example'");
    await rowsOf("update users set password_hash = 'x' where demo");
    await rowsOf(
      "insert into submissions (client_id, fingerprint, subject_id) values ('demo.candor.example', 'x', 'x')",
    );
    await resetDemo();
    // History and fingerprints have no foreign key, and go with their client all the same.
    expect(await rowsOf("select from submissions where client_id = 'demo.candor.example'")).toEqual([]);
    expect(
      await rowsOf(`select subject_id from moderation_events e where client_id = 'demo.candor.example' and kind = 'review'
                      and not exists (select from reviews r where (r.client_id, r.id) = (e.client_id, e.subject_id))`),
    ).toEqual([]);
    expect(await counts()).toEqual(made);
    expect(await others()).toEqual(before);
    expect(await enters(basicHeader("demo", demoPassword()))).toBe("operator");
  });
});

it("has mails of the last weeks behind it, and what came of them", async () => {
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
  // Each is a review that is there, of what the mail asked about.
  expect(products.reduce((sum, { reviewed }) => sum + reviewed, 0)).toBe(8);
  // They were asked: nobody is asked for the same again, and those who are due now still are.
  const { send, held } = await planInvitations(client.id);
  expect(send.length).toBeGreaterThan(2);
  expect(held.filter(({ reason }) => reason === "already_invited")).toHaveLength(45);
});

it("says of each verified buyer what they ordered and who they are, and of each decision who made it", async () => {
  await resetDemo();
  const of = (table: string) => `select count(*)::int as verified,
      count(*) filter (where exists (select from orders o join customers c on c.client_id = o.client_id and c.id = o.customer_id
        where o.client_id = r.client_id and o.id = r.order_id and c.id = r.customer_id and c.email = r.author_email))::int as known
    from ${table} r where client_id = 'demo.candor.example' and verified_buyer`;
  expect(await rowsOf(of("seller_reviews"))).toEqual([{ verified: 5, known: 5 }]);
  const [reviews] = await rowsOf(of("reviews"));
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
