import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { admin, createPerson, expect, expectAccessible, type Login, openAs, test, uniqueName } from "./fixtures";

// What admins do with orders and with personal data.

const id = `${uniqueName("privacy")}.example`;
const ada = { id: "C-77", name: "Ada Berg", email: `Ada.Berg@${id}` };
const bo = { id: "C-78", name: "Bo", email: `bo@${id}` };
let key = "";
let people: Record<"admin" | "moderator" | "viewer", Login>;

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", id);
  key = (await admin<{ secret: string }>("key", "create", "--client", id)).secret;
  people = {
    admin: await createPerson("privacy-admin", "admin", id),
    moderator: await createPerson("privacy-moderator", "moderator", id),
    viewer: await createPerson("privacy-viewer", "viewer", id),
  };
  const headers = { Authorization: `Bearer ${key}` };
  const items = ["LAMP-1", "BULB-2"].map((sku) => ({ id: sku, name: `A ${sku}`, delivery_date: "2030-01-01" }));
  for (const order of [
    { id: "P-1001", customer: ada, items },
    { id: "P-1002", customer: ada, items: items.slice(0, 1) },
    { id: "P-1003", customer: bo, items },
  ])
    expect((await request.post("/v1/orders", { headers, data: { order } })).status()).toBe(200);
  const review = { client_id: id, api_key: public_key, product_id: "LAMP-1", score: 4, lang: "en" };
  const data = {
    ...review,
    author: "Ada B.",
    author_email: ada.email,
    title: "Warm",
    content: "It glows in the evening.",
  };
  expect((await request.post("/collect/reviews", { data })).status()).toBe(201);
  await request.dispose();
});

const api = async (page: Page, path: string) =>
  (await page.request.get(path, { headers: { Authorization: `Bearer ${key}`, cookie: "" } })).json();

test("order items are found by product ID, paused, excluded and restored, each with undo", async ({ page }) => {
  await openAs(page, people.admin, "/portal/orders");
  await page.getByRole("searchbox").fill("BULB-2");
  await page.getByRole("searchbox").press("Enter");
  await expect(page.getByText("Orders with product ID BULB-2")).toBeVisible();
  await expect(page.getByRole("table", { name: "Orders" }).getByRole("link")).toHaveCount(2);
  await page.getByRole("link", { name: "P-1001" }).click();
  const bulb = page.getByRole("list", { name: "Items" }).locator("> li").filter({ hasText: "BULB-2" });

  await bulb.getByRole("button", { name: "Pause invitation" }).click();
  await page.getByRole("menuitem", { name: /^1 week/ }).click();
  await expect(bulb).toContainText(/Paused until \d+ \w+ \d{4}/);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(bulb.getByRole("button", { name: "Pause invitation" })).toBeVisible();

  // An item paused indefinitely stays so when the order is paused for a week, and when that is undone.
  const pausedIndefinitely = bulb.getByText("Paused indefinitely", { exact: true });
  await bulb.getByRole("button", { name: "Pause invitation" }).click();
  await page.getByRole("menuitem", { name: "Indefinitely" }).click();
  await expect(pausedIndefinitely).toBeVisible();
  await page.getByRole("button", { name: "Pause invitations" }).click();
  await page.getByRole("menuitem", { name: /^1 week/ }).click();
  await expect(page.getByText(/^Paused until \d+ \w+ \d{4}$/)).toHaveCount(1);
  await expect(pausedIndefinitely).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(/^Paused until \d+ \w+ \d{4}$/)).toHaveCount(0);
  await expect(pausedIndefinitely).toBeVisible();
  await bulb.getByRole("button", { name: "Resume invitation" }).click();
  await expect(bulb.getByRole("button", { name: "Pause invitation" })).toBeVisible();

  // An invitation for an undelivered item can't be sent manually, and the button isn't shown.
  await expect(bulb).toContainText("Can be sent manually after delivery.");
  await expect(bulb.getByRole("button", { name: "Send now" })).toHaveCount(0);

  await bulb.getByRole("button", { name: "Don’t invite" }).focus();
  await page.keyboard.press("Enter");
  const excluded = bulb.getByText("Excluded", { exact: true });
  await expect(excluded).toBeVisible();
  await expect(bulb.getByRole("button", { name: "Pause invitation" })).toHaveCount(0);
  await expect(bulb.getByRole("list", { name: /^Timeline/ })).toContainText("Excluded from invitations by");
  const reviewable = async () =>
    (await api(page, "/v1/orders/P-1001")).data.items.map((item: { reviewable: boolean }) => item.reviewable);
  expect(await reviewable()).toEqual([true, false]);
  await bulb.getByRole("button", { name: "Invite again" }).click();
  await expect(excluded).toHaveCount(0);
  await expect(bulb.getByRole("list", { name: /^Timeline/ })).toContainText("Invitations allowed again by");
  expect(await reviewable()).toEqual([true, true]);

  await page.getByRole("button", { name: "Pause invitations" }).click();
  await page.getByRole("menuitem", { name: "Indefinitely" }).click();
  await expect(page.getByRole("button", { name: "Resume invitations" })).toBeVisible();
  await expect(page.getByText("Paused indefinitely", { exact: true })).toHaveCount(2);
  await expectAccessible(page, "an order");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, "an order on a phone");
});

test("moderators can only pause items; viewers see no customers and change nothing", async ({ browser }) => {
  for (const who of ["moderator", "viewer"] as const) {
    const page = await (await browser.newContext({ baseURL: process.env.E2E_URL })).newPage();
    await openAs(page, people[who], "/portal/orders/P-1003");
    await expect(page.getByRole("list", { name: "Items" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Pause invitation: A BULB-2" })).toHaveCount(
      who === "moderator" ? 1 : 0,
    );
    await expect(page.getByRole("button", { name: "Don’t invite: A BULB-2" })).toHaveCount(0);
    await expect(page.getByText(bo.email)).toHaveCount(who === "moderator" ? 1 : 0);
    await expect(page.getByRole("link", { name: "Personal data" })).toHaveCount(0);
    expect((await page.request.get("/portal/privacy")).status()).toBe(404);
    await page.context().close();
  }
});

test("personal data is found, exported and deleted, and the log contains no names", async ({ page }) => {
  await openAs(page, people.admin, "/portal/privacy");
  await expect(page.getByRole("heading", { name: "No requests yet" })).toBeVisible();
  await expectAccessible(page, "the empty page");

  await page.getByLabel("Customer’s email address").fill(`nobody@${id}`);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No data stored about this person" })).toBeVisible();

  // Opened from an order. The person is never in a URL that a server sees.
  await page.goto("/portal/orders/P-1001");
  await page.getByRole("link", { name: "View personal data" }).click();
  const record = page.getByRole("region", { name: ada.name });
  await expect(record).toContainText("2 orders and 1 review");
  await expect(record).toContainText("It glows in the evening.");
  expect(page.url()).not.toMatch(/C-77|\bada\b/i);
  await expectAccessible(page, "a person");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, "a person on a phone");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export data" }).click();
  const file = JSON.parse(await readFile(await (await download).path(), "utf8"));
  expect(file.personal_data).toMatchObject({ name: ada.name, email: ada.email, reviews: [{ title: "Warm" }] });
  expect(file.orders.map((order: { id: string }) => order.id)).toEqual(["P-1001", "P-1002"]);
  const register = page.getByRole("table", { name: "Deletions and exports" });
  await expect(register.getByRole("row").nth(1)).toContainText("Export");

  // An irreversible deletion requires typing the name.
  await page.getByRole("button", { name: "Delete all data" }).click();
  const dialog = page.getByRole("dialog");
  await expectAccessible(page, "the question");
  await dialog.getByRole("textbox").fill("C-7");
  await dialog.getByRole("button", { name: "Delete all data" }).click();
  await expect(dialog).toContainText("This doesn’t match.");
  expect((await api(page, "/v1/orders/P-1001")).data.id).toBe("P-1001");
  await dialog.getByRole("textbox").fill("C-77");
  await page.keyboard.press("Enter");
  await expect(page.getByText("All data deleted.")).toBeVisible({ timeout: 30_000 });
  await expect(record).toHaveCount(0);
  await expect(register.getByRole("row").nth(1)).toContainText("Deletion");
  await expect(register.getByRole("row").nth(1)).toContainText("2 orders");
  await expect(register).not.toContainText(/C-77|Ada|P-100/);
  const remaining = await api(page, "/v1/personal_data?customer_id=C-77");
  expect(remaining.data).toMatchObject({ name: null, customer_id: null, email: null, reviews: [] });
  expect((await api(page, "/v1/orders")).data.map((order: { id: string }) => order.id)).toEqual(["P-1003"]);
  await expectAccessible(page, "afterwards");
});

test("a failed search shows an error and can be retried", async ({ page, consoleErrors }) => {
  await openAs(page, people.admin, "/portal/privacy");
  await page.route("**/portal/api/v1/personal_data?*", (route) => route.abort());
  await page.getByText("Customer ID", { exact: true }).click();
  await page.getByLabel("Customer ID in your store").fill("C-78");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Search failed" })).toBeVisible({ timeout: 20_000 });
  await page.unroute("**/portal/api/v1/personal_data?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("region", { name: "Bo" })).toBeVisible();
  // The browser logs the connections that the test aborts.
  expect(consoleErrors.splice(0).filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
});

test("pausing with a lost response is retried as the same change, and can be undone", async ({
  page,
  playwright,
  consoleErrors,
}) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const items = [{ id: "CUP-3", name: "A CUP-3", delivery_date: "2030-01-01" }];
  const order = { id: "P-1004", customer: { id: "C-79", name: "Mia", email: `mia@${id}` }, items };
  const headers = { Authorization: `Bearer ${key}` };
  expect((await request.post("/v1/orders", { headers, data: { order } })).status()).toBe(200);
  await request.dispose();
  await openAs(page, people.admin, "/portal/orders/P-1004");
  let holdRequests = 0;
  let dropResponse = true;
  await page.route("**/orders/P-1004/hold?*", async (route) => {
    holdRequests += 1;
    if (!dropResponse) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Pause invitation: A CUP-3" }).click();
  await page.getByRole("menuitem", { name: "Indefinitely" }).click();
  const again = page.getByRole("button", { name: "Try again" });
  for (const times of [1, 2, 3]) {
    await expect(again).toBeVisible();
    expect(holdRequests).toBe(times);
    dropResponse = times < 3;
    await again.click();
    await expect.poll(() => holdRequests).toBe(times + 1);
  }
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Pause invitation: A CUP-3" })).toBeVisible();
  // The browser logs the lost response.
  expect(consoleErrors.splice(0).filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
});
