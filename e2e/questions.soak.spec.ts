import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import pg from "pg";
import { freePort, joinCluster } from "@/lib/tools/launch/postgres.mjs";
import { consoleErrorsOutsideMails, expect, type Login, test } from "./fixtures";
import {
  countActions,
  judgemeExport,
  MAX_ACTIONS,
  selectFileToImport,
  testNewLogoAndGreeting,
  undoImport,
} from "./journeys";
import { runAdmin, startServer } from "./server";

// A merchant's questions and tasks in a store with 100,000 reviews and 200,000 orders: each done from the home page within
// six clicks, choices or keys (a typed text is one), with the figures that the database has.

const REVIEWS = 100_000;
const ORDERS = 200_000;
const shop = "questions.example";
const owner = `owner@${shop}`;

let base: string;
let db: pg.Client;
let moderator: Login;
let shopAdmin: Login;
let run: (...args: string[]) => Promise<unknown>;
let end: () => Promise<void>;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  const folder = mkdtempSync(path.join(os.tmpdir(), "candor-e2e-questions-"));
  const cluster = await joinCluster(path.join(folder, "cluster"), { durable: false });
  const admin = new pg.Client({ connectionString: cluster.url("postgres") });
  await admin.connect();
  await admin.query("create database shop");
  await admin.end();
  const settings = { DATABASE_URL: cluster.url("shop"), CANDOR_SECRET: "a secret of the store with many reviews" };
  const port = await freePort();
  base = `http://localhost:${port}`;
  const dataDir = path.join(folder, "data");
  const server = await startServer(dataDir, port, "questions.log", settings);
  db = new pg.Client({ connectionString: cluster.url("shop") });
  await db.connect();
  end = async () => {
    await db?.end();
    await server?.stop();
    await cluster.release();
    rmSync(folder, { recursive: true, force: true });
  };
  run = (...args) => runAdmin(dataDir, port, args, undefined, settings);
  await run("client", "create", "--id", shop, "--set", "display_name=Lanterna", "--set", `contact_email=${owner}`);
  const create = async (username: string, role: string) =>
    (await run("user", "create", "--username", username, "--role", role, "--client", shop)) as Login;
  moderator = await create("ada", "moderator");
  shopAdmin = await create("eva", "admin");
  await insertRows();
});

test.afterAll(async () => {
  await end?.();
});

async function insertRows(): Promise<void> {
  await db.query(
    `insert into products (client_id, id, family_id, name, brand, category)
     select $1, 'sku-' || n, 'sku-' || n, 'Lamp ' || n, 'Brand ' || n % 40, 'Category ' || n % 12 from generate_series(0, 199) n`,
    [shop],
  );
  await db.query(
    `insert into customers (client_id, id, id_hash, name, email, email_key)
     select $1, 'c' || n, 'h' || n, case n when 4711 then 'Ada Berg' else 'Customer ' || n end, n || '@shopper.example', n || '@shopper.example'
       from generate_series(1, 100000) n`,
    [shop],
  );
  await db.query(
    `insert into orders (client_id, id, customer_id, created_at)
     select $1, 'FF-' || n, 'c' || (case when n = 150000 then 4711 when n % 100000 = 4711 then 1 else 1 + n % 100000 end), now() - n * interval '2 minutes'
       from generate_series(1, $2::int) n where 1 + n % 100000 <> 4711 or n = 150000`,
    [shop, ORDERS],
  );
  await db.query(
    `insert into order_items (client_id, order_id, id, position, reviewable, created_at)
     select client_id, id, 'sku-' || length(id) * 7 % 200, 0, true, created_at from orders where client_id = $1`,
    [shop],
  );
  // 700 days of reviews. One product falls this quarter.
  await db.query(
    `insert into reviews (client_id, id, source, product_id, family_id, author, score, extract, lang, date, created_at, feedback_token,
                          accepted, accepted_at, reject_reason, decided_at, responses)
     select $1, 'r' || n, 'web', 'sku-' || product, 'sku-' || product, 'Author ' || n % 3000,
            case when product = 7 and current_date - day < date_trunc('quarter', current_date)::date then 5
                 when product = 7 then 1 else (array[5,5,5,4,4,4,3,2,1,5])[1 + n / 3 % 10] end,
            'Review number ' || n, 'en', current_date - day, (current_date - day)::timestamptz + interval '12 hours', 'q' || n,
            accepted, case when accepted then now() end,
            case when not accepted then (array['spam','price','profanity'])[1 + n % 3] end, now(),
            case when n % 3 = 0 then '[{"extract":"Thank you."}]'::jsonb else '[]' end
       from (select n, n * 7 % 200 as product, n % 700 as day,
                    case when n % 20 = 0 then false when n % 50 = 3 then null else true end as accepted
               from generate_series(1, $2::int) n) n`,
    [shop, REVIEWS],
  );
  await db.query("vacuum analyze");
}

const one = async <T>(text: string, ...values: unknown[]): Promise<T> =>
  Object.values((await db.query(text, [shop, ...values])).rows[0])[0] as T;

async function openHome(page: Page, login: Login): Promise<void> {
  await page.goto(`${base}/portal`);
  await page.getByLabel("Username").fill(login.username);
  await page.getByLabel("Password").fill(login.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "Analytics", exact: true })).toBeVisible();
}

const navigation = (page: Page, name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });

test("Where is Ada Berg's order?", async ({ page }) => {
  const does = countActions();
  await openHome(page, moderator);
  await does.press(page, "Control+k");
  await does.type(page.getByRole("combobox", { name: /search/i }), "Ada Berg");
  await does.click(page.getByRole("option", { name: /FF-150000/ }).first());
  await expect(page).toHaveURL(/\/portal\/orders\/FF-150000/);
  await expect(page.getByRole("main")).toContainText("Ada Berg");
  expect(does.total()).toBeLessThanOrEqual(MAX_ACTIONS);
});

test("Which one-star reviews of a brand in a month have no reply, as CSV?", async ({ page }) => {
  const does = countActions();
  await openHome(page, moderator);
  // The whole month before the last one.
  const month = await one<string>("select to_char(current_date - interval '2 months', 'YYYY-MM') where $1 <> ''");
  const [brand, count] = (
    await db.query<[string, number]>({
      rowMode: "array",
      text: `select p.brand, count(*)::int from reviews r join products p on p.client_id = r.client_id and p.id = r.product_id
              where r.client_id = $1 and r.score = 1 and to_char(r.date, 'YYYY-MM') = $2 and r.responses = '[]'
              group by 1 order by 2 desc, 1 limit 1`,
      values: [shop, month],
    })
  ).rows[0] as [string, number];
  const name = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
  await does.click(navigation(page, "Reviews"));
  await does.click(page.getByText("1★", { exact: true }));
  await does.type(page.getByRole("combobox", { name: "Brand" }), brand);
  await does.select(page.getByRole("combobox", { name: "Date" }), name.format(new Date(`${month}-01`)));
  await does.select(page.getByRole("combobox", { name: "Reply" }), "No reply");
  await expect(page).toHaveURL(/reply=0/);
  const download = page.waitForEvent("download");
  await does.click(page.getByRole("button", { name: "Export CSV" }));
  const lines = readFileSync(await (await download).path(), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines).toHaveLength(count + 1);
  expect(does.total()).toBeLessThanOrEqual(MAX_ACTIONS);
});

test("Which product lost most this quarter?", async ({ page }) => {
  const does = countActions();
  await openHome(page, moderator);
  await does.click(navigation(page, "Analytics"));
  // In its first days, a quarter has too few reviews to compare.
  const begun = await one<number>(
    "select (current_date - date_trunc('quarter', current_date)::date)::int where $1 <> ''",
  );
  const current = begun >= 14;
  await does.select(page.getByRole("combobox", { name: "Period" }), current ? "This quarter" : "Last quarter");
  await expect(page).toHaveURL(/period=(last_)?quarter/);
  const table = page.getByRole("region", { name: "Reviews by product" });
  await does.click(table.getByRole("link", { name: "Change" }));
  await expect(page).toHaveURL(/sort=change/);
  await does.click(table.getByRole("link", { name: "Change" }));
  await expect(page).toHaveURL(/dir=asc/);
  const [product, change] = (
    await db.query<[string, string]>({
      rowMode: "array",
      text: `with days as (
          select q as since, case when $2 then current_date else (q + interval '3 months')::date - 1 end as until, (q - interval '3 months')::date as since_before,
                 case when $2 then (current_date - interval '3 months')::date else q - 1 end as until_before
            from (select (date_trunc('quarter', current_date) - case when $2 then interval '0' else interval '3 months' end)::date as q) q),
        r as (select product_id, score, date >= since as now from reviews, days
               where client_id = $1 and accepted and (date between since and until or date between since_before and until_before))
        select product_id, to_char(round(avg(score) filter (where now), 2) - round(avg(score) filter (where not now), 2), 'FM90.00') as change
          from r group by 1 having least(count(*) filter (where now), count(*) filter (where not now)) >= 3
         order by avg(score) filter (where now) - avg(score) filter (where not now) limit 1`,
      values: [shop, current],
    })
  ).rows[0] as [string, string];
  const first = table.getByRole("row").nth(1);
  await expect(first).toContainText(product);
  await expect(first).toContainText(change.replace("-", "−"));
  expect(does.total()).toBeLessThanOrEqual(MAX_ACTIONS);
});

test("What did we reject as spam in the last seven days, and why?", async ({ page }) => {
  const does = countActions();
  await openHome(page, moderator);
  await does.click(navigation(page, "Reviews"));
  await does.select(page.getByRole("combobox", { name: "Status" }), "Rejected");
  await does.select(page.getByRole("combobox", { name: "Reason" }), "Spam or fake");
  await does.select(page.getByRole("combobox", { name: "Date" }), "Last 7 days");
  const count = await one<number>(
    "select count(*)::int from reviews where client_id = $1 and accepted = false and reject_reason = 'spam' and date > current_date - 7",
  );
  expect(count).toBeGreaterThan(0);
  await expect(page.getByRole("status").filter({ hasText: new RegExp(`^${count} reviews$`) })).toBeVisible();
  await does.click(page.getByRole("row").nth(1).getByRole("link"));
  await expect(page.getByRole("article")).toContainText("Spam");
  expect(does.total()).toBeLessThanOrEqual(MAX_ACTIONS);
});

/** How many rows of the store each table has, and a checksum of them, with counts and averages of its products. */
async function fingerprint(): Promise<Record<string, { count: number; sum: string }>> {
  const contents: Record<string, string> = {
    reviews: "select id as key, r::text as row from reviews r",
    seller_reviews: "select id as key, id as row from seller_reviews",
    questions: "select id as key, id as row from questions",
    products: "select id as key, p::text as row from products p",
    customers: "select id as key, c::text as row from customers c",
    orders: "select id as key, o::text as row from orders o",
    order_items: "select order_id || ' ' || id as key, i::text as row from order_items i",
    uploads: "select token as key, token as row from uploads",
    product_summaries:
      "select product_id as key, (count, sum, c1, c2, c3, c4, c5)::text as row from product_summaries where count > 0",
    family_summaries:
      "select family_id as key, (count, sum, c1, c2, c3, c4, c5)::text as row from family_summaries where count > 0",
  };
  const prints: Awaited<ReturnType<typeof fingerprint>> = {};
  for (const [table, rows] of Object.entries(contents)) {
    const { rows: found } = await db.query<{ count: number; sum: string }>(
      `select count(*)::int as count, md5(coalesce(string_agg(md5(row), '' order by key), '')) as sum
         from (${rows} ${rows.includes(" where ") ? "and" : "where"} client_id = $1) r`,
      [shop],
    );
    prints[table] = found[0] as { count: number; sum: string };
  }
  return prints;
}

test("Import my Judge.me export, and undo it", async ({ page }) => {
  test.setTimeout(120_000);
  const ROWS = 400;
  // One in ten has no rating, and one in ten is spam, which is imported as rejected.
  const rows = Array.from({ length: ROWS }, (_, n) => {
    const rating = n % 10 === 3 ? "" : String(1 + (n % 5));
    const curated = n % 10 === 7 ? "spam" : "ok";
    return `Title ${n},Imported text ${n},${rating},2025-02-${String(1 + (n % 28)).padStart(2, "0")},Author ${n},${n}@customers.example,sku-${n % 200},lamp,,,${curated}`;
  });
  const imported = ROWS - ROWS / 10;
  const before = await fingerprint();
  const does = countActions();
  await openHome(page, shopAdmin);
  await does.click(page.getByRole("link", { name: "Review imports" }));
  await selectFileToImport(page, does, "judgeme.csv", judgemeExport(rows));
  await page.waitForURL(/\/portal\/imports\/imp_/);
  await expect(page.getByText("Judge.me · Reviews")).toBeVisible();
  await expect(page.getByText(`${imported} new`, { exact: true })).toBeVisible({ timeout: 30_000 });
  expect(await fingerprint(), "a file that is only checked").toEqual(before);

  await does.click(page.getByRole("button", { name: `Import ${imported} reviews` }));
  await expect(page.getByText("Imported", { exact: true })).toBeVisible({ timeout: 30_000 });
  const found = await db.query<{ score: number; accepted: boolean; count: number }>(
    `select score::int, accepted, count(*)::int from reviews
      where client_id = $1 and source = 'import' and extract like 'Imported text %' group by 1, 2 order by 1, 2`,
    [shop],
  );
  const given = rows.flatMap((_, n) => (n % 10 === 3 ? [] : [{ score: 1 + (n % 5), accepted: n % 10 !== 7 }]));
  const expected = [...new Set(given.map((row) => JSON.stringify(row)))].map((key) => ({
    ...(JSON.parse(key) as { score: number; accepted: boolean }),
    count: given.filter((row) => JSON.stringify(row) === key).length,
  }));
  expect(found.rows).toHaveLength(expected.length);
  expect(found.rows).toEqual(expect.arrayContaining(expected));
  expect((await fingerprint()).reviews?.count).toBe((before.reviews?.count ?? 0) + imported);

  await undoImport(page, does, `Delete ${imported} reviews`);
  expect(await fingerprint()).toEqual(before);
  expect(does.total()).toBeLessThanOrEqual(MAX_ACTIONS);
});

test("Change the logo and the greeting, and send me a test", async ({ page, consoleErrors }) => {
  const does = countActions();
  await openHome(page, shopAdmin);
  const logo = "https://shop.example/new-logo.png";
  await testNewLogoAndGreeting(page, does, { logo, greeting: "Dear friend of lamps," });
  expect(does.total()).toBeLessThanOrEqual(MAX_ACTIONS);

  const sent = () =>
    one<string[]>(
      `select coalesce(array_agg(id), '{}') from mails where client_id = $1 and "to" = $2 and subject like '[Test] %'`,
      owner,
    );
  // The outbox sends it a moment later.
  await expect.poll(async () => (await sent()).length, { timeout: 30_000 }).toBe(1);
  const mail = (await run("mail", "show", (await sent())[0] ?? "")) as { html: string; text: string };
  expect(mail.text).toMatch(/^Dear friend of lamps,/);
  expect(mail.html).toContain(`src="${logo}"`);
  // A test saves nothing.
  expect(await one<object>("select config from clients where id = $1")).toEqual({});
  expect(consoleErrorsOutsideMails(consoleErrors)).toEqual([]);
});
