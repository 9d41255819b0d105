import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { admin, axe, createPerson, expect, type Login, openAs, test, uniqueName } from "./fixtures";

// What all lists of the portal have: rows as close as a person wants them, headings that sort, and ids to copy.

const shop = `${uniqueName("lists")}.example`;
let person: Login;
let reviewId: string;
let keyId: string;

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  await admin("client", "create", "--id", shop);
  const { id, secret } = await admin<{ id: string; secret: string }>("key", "create", "--client", shop);
  keyId = id;
  const headers = { Authorization: `Bearer ${secret}` };
  for (const n of [1, 2, 3]) {
    const item = { id: `P-${n}`, name: `Oak lamp ${n}` };
    const customer = { id: `C-${n}`, name: "Ada Berg", email: `ada-${n}@${shop}`, lang: "en" };
    const order = { id: `O-${n}`, customer, items: [{ ...item, delivery_date: "2030-01-01" }] };
    const posted = await request.post("/v1/orders", { headers, data: { order } });
    expect(posted.status(), await posted.text()).toBe(200);
    const review = { author: `Author ${n}`, score: 5, date: `2026-03-0${n}`, extract: "Fine.", order: { item } };
    const created = await request.post("/v1/reviews", { headers, data: { review } });
    expect(created.status(), await created.text()).toBe(201);
  }
  const catalog = test.info().outputPath("catalog.csv");
  const rows = [1, 2, 3].map((n) => `P-${n},Oak lamp ${n},https://shop.example/${n}`);
  writeFileSync(catalog, ["id,title,link", ...rows, ""].join("\n"));
  await admin("products", "import", catalog, "--client", shop);
  const { data } = await (await request.get(`/v1/reviews?client_id=${shop}`, { headers })).json();
  reviewId = data[0].id;
  await request.dispose();
  person = await createPerson("lists-admin", "admin", shop);
});

const lists = ["/portal/orders", "/portal/products", "/portal/library"] as const;

/** The height of the second row of a page's table; the first one is the heading. */
const rowHeight = async (page: Page) => (await page.getByRole("row").nth(1).boundingBox())?.height ?? 0;

test("rows are compact where a person wants that, by keyboard, and comfortable again", async ({ page }) => {
  await openAs(page, person, "/portal/account");
  const comfortable: number[] = [];
  for (const path of lists) {
    await page.goto(path);
    comfortable.push(await rowHeight(page));
  }
  await page.goto("/portal/account");
  const rows = page.getByRole("form", { name: "Row spacing" });
  await expect(rows.getByRole("button", { name: "Comfortable" })).toHaveAttribute("aria-pressed", "true");
  await rows.getByRole("button", { name: "Compact" }).focus();
  await page.keyboard.press("Enter");
  await expect(rows.getByRole("button", { name: "Compact" })).toHaveAttribute("aria-pressed", "true");
  expect((await axe(page).analyze()).violations).toEqual([]);
  for (const [index, path] of lists.entries()) {
    await page.goto(path);
    expect(await rowHeight(page), path).toBeLessThanOrEqual((comfortable[index] ?? 0) - 10);
    expect((await axe(page).analyze()).violations, path).toEqual([]);
  }
  // Also on phones, where a row is a card.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/portal/orders");
  const compactCard = await rowHeight(page);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.goto("/portal/account");
  await rows.getByRole("button", { name: "Comfortable" }).click();
  await expect(rows.getByRole("button", { name: "Comfortable" })).toHaveAttribute("aria-pressed", "true");
  await page.goto("/portal/orders");
  expect(await rowHeight(page)).toBeGreaterThan(compactCard);
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const [index, path] of lists.entries()) {
    await page.goto(path);
    expect(await rowHeight(page), path).toBe(comfortable[index]);
  }
});

test("rows are compact at once in lists opened without loading the page again", async ({ page }) => {
  await openAs(page, person, "/portal/products");
  const comfortable = await rowHeight(page);
  const goTo = (name: string) =>
    page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name, exact: true }).click();
  await page.goto("/portal/orders");
  const comfortableOrder = await rowHeight(page);
  await page.goto("/portal/account");
  await page.evaluate(() => document.documentElement.setAttribute("data-not-reloaded", ""));
  const compact = page.getByRole("form", { name: "Row spacing" }).getByRole("button", { name: "Compact" });
  await compact.click();
  await expect(compact).toHaveAttribute("aria-pressed", "true");
  await goTo("Orders");
  await expect(page.getByRole("row").filter({ hasText: "O-1" })).toBeVisible();
  expect(await rowHeight(page)).toBeLessThanOrEqual(comfortableOrder - 10);
  await goTo("Products");
  await expect(page.getByRole("row").filter({ hasText: "P-1" })).toBeVisible();
  expect(await rowHeight(page)).toBeLessThanOrEqual(comfortable - 10);
  await expect(page.locator("html[data-not-reloaded]")).toHaveCount(1);
  // The person is shared.
  await page.goto("/portal/account");
  const choice = page.getByRole("form", { name: "Row spacing" }).getByRole("button", { name: "Comfortable" });
  await choice.click();
  await expect(choice).toHaveAttribute("aria-pressed", "true");
});

test("headings sort reviews by date and products by id, and say so", async ({ page }) => {
  await openAs(page, person, "/portal/library");
  const heading = (name: string) => page.getByRole("columnheader", { name });
  const authors = () =>
    page
      .getByRole("row")
      .getByText(/^Author \d$/)
      .allTextContents();
  await expect(heading("Date")).toHaveAttribute("aria-sort", "descending");
  expect(await authors()).toEqual(["Author 3", "Author 2", "Author 1"]);
  await heading("Date").getByRole("link").focus();
  await page.keyboard.press("Enter");
  await expect(heading("Date")).toHaveAttribute("aria-sort", "ascending");
  await expect.poll(authors).toEqual(["Author 1", "Author 2", "Author 3"]);
  await expect(page.getByRole("combobox", { name: "Sort" })).toHaveValue("oldest");
  await page.getByRole("combobox", { name: "Sort" }).selectOption("highest");
  await expect(heading("Date")).toHaveAttribute("aria-sort", "none");

  await page.goto("/portal/products");
  const products = () =>
    page
      .getByRole("row")
      .getByText(/^P-\d$/)
      .allTextContents();
  await expect(heading("Product ID")).toHaveAttribute("aria-sort", "ascending");
  expect(await products()).toEqual(["P-1", "P-2", "P-3"]);
  await heading("Product ID").getByRole("link").click();
  await expect(heading("Product ID")).toHaveAttribute("aria-sort", "descending");
  await expect.poll(products).toEqual(["P-3", "P-2", "P-1"]);
  // A search keeps the order, also on a phone, where the heading is there as well.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("searchbox").fill("lamp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=lamp/);
  expect(await products()).toEqual(["P-3", "P-2", "P-1"]);
  await heading("Product ID").getByRole("link").click();
  await expect.poll(products).toEqual(["P-1", "P-2", "P-3"]);
});

test("ids are copied from the pages of what they name", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openAs(page, person, "/portal/orders/O-1");
  const expectCopied = async (button: string, id: string) => {
    await page
      .getByRole("main")
      .getByRole("button", { name: `Copy ${button}: ${id}`, exact: true })
      .first()
      .click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id);
  };
  await expectCopied("Order number", "O-1");
  await expectCopied("Customer ID", "C-1");
  await expectCopied("Product ID", "P-1");
  await page.goto("/portal/products/P-2");
  await expectCopied("Product ID", "P-2");
  await page.goto(`/portal/reviews/${reviewId}`);
  await expectCopied("ID", reviewId);
  await page.goto("/portal/settings/keys");
  await expectCopied("ID", keyId);
  const hook = await admin<{ id: string }>("webhook", "create", "--client", shop, "--url", "http://127.0.0.1:9/hook");
  await page.goto(`/portal/integrations/webhooks/${hook.id}`);
  await expectCopied("ID", hook.id);
  await page.goto("/portal/privacy");
  await page.getByLabel("Search for a person").getByRole("textbox").fill(`ada-3@${shop}`);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expectCopied("Customer ID", "C-3");
});

test("a copy that fails is reported, and one that is repeated is confirmed anew", async ({ page }) => {
  await openAs(page, person, "/portal/settings/keys");
  const id = page.getByRole("button", { name: `Copy ID: ${keyId}` });
  const failure = page.getByRole("status").filter({ hasText: "Couldn’t copy. Select the text and copy it." });
  // As on a page without HTTPS.
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined, writable: true }));
  await page.reload();
  await id.click();
  await expect(failure.first()).toBeVisible();
  await expect(id).not.toContainText("Copied");

  const written: string[] = [];
  await page.exposeFunction("keep", (text: string) => written.push(text));
  await page.evaluate(() => {
    const { keep } = globalThis as unknown as { keep: (text: string) => Promise<void> };
    Object.assign(navigator, { clipboard: { writeText: keep } });
  });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await id.click();
  await expect(id).toContainText("Copied");
  await page.clock.runFor(1_500);
  await id.click();
  await expect.poll(() => written).toEqual([keyId, keyId]);
  await page.clock.runFor(1_500);
  await expect(id).toContainText("Copied");
  await expect(async () => {
    await page.clock.runFor(2_000);
    await expect(id).not.toContainText("Copied", { timeout: 500 });
  }).toPass();
});
