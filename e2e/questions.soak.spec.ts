import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Locator, Page } from "@playwright/test";
import pg from "pg";
import { freePort, joinCluster } from "@/lib/tools/launch/postgres.mjs";
import { expect, test } from "./fixtures";
import { runAdmin, startServer } from "./server";

// A merchant's questions in a store with 100,000 reviews and 200,000 orders: each answered from the home page within six
// clicks, choices or keys (a typed text is one), with the figures that the database has.

const REVIEWS = 100_000;
const ORDERS = 200_000;
const MAX_ACTIONS = 6;
const shop = "questions.example";

let base: string;
let db: pg.Client;
let login: { username: string; password: string };
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
  const run = (...args: string[]) => runAdmin(dataDir, port, args, undefined, settings);
  await run("client", "create", "--id", shop, "--set", "display_name=Lanterna");
  const created = await run("user", "create", "--username", "ada", "--role", "moderator", "--client", shop);
  login = created as typeof login;
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

/** Counts what the merchant does from the home page on. */
function counting() {
  let actions = 0;
  const count = async (work: Promise<unknown>) => {
    actions += 1;
    await work;
  };
  return {
    click: (target: Locator) => count(target.click()),
    type: (target: Locator, text: string) => count(target.fill(text)),
    select: (target: Locator, option: string) => count(target.selectOption(option)),
    press: (page: Page, key: string) => count(page.keyboard.press(key)),
    total: () => actions,
  };
}

async function openHome(page: Page): Promise<void> {
  await page.goto(`${base}/portal`);
  await page.getByLabel("Username").fill(login.username);
  await page.getByLabel("Password").fill(login.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "Analytics", exact: true })).toBeVisible();
}

const navigation = (page: Page, name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });

test("Where is Ada Berg's order?", async ({ page }) => {
  const does = counting();
  await openHome(page);
  await does.press(page, "Control+k");
  await does.type(page.getByRole("combobox", { name: /search/i }), "Ada Berg");
  await does.click(page.getByRole("option", { name: /FF-150000/ }).first());
  await expect(page).toHaveURL(/\/portal\/orders\/FF-150000/);
  await expect(page.getByRole("main")).toContainText("Ada Berg");
  expect(does.total()).toBeLessThanOrEqual(MAX_ACTIONS);
});

test("Which one-star reviews of a brand in a month have no reply, as CSV?", async ({ page }) => {
  const does = counting();
  await openHome(page);
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
  const does = counting();
  await openHome(page);
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
  const does = counting();
  await openHome(page);
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
