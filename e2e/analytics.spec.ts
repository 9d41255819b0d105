import { readFile } from "node:fs/promises";
import { admin, axe, createPerson, expect, type Login, openAs, test, uniqueName } from "./fixtures";

// Analytics: period, comparison and filters, charts by keyboard and as tables, and the reviews behind each number.

const shop = `${uniqueName("analytics")}.example`;
let ada: Login;

/** A review of each product and score, by month before the current one. */
const reviews: [product: string, monthsAgo: number, scores: number[]][] = [
  ["RISEN", 0, [5, 5, 4]],
  ["RISEN", 1, [3, 3, 2]],
  ["FALLEN", 0, [1, 1, 2, 1]],
  ["FALLEN", 1, [5, 5, 5]],
  ["NEW", 0, [4]],
];

test.beforeAll(async ({ playwright }) => {
  await admin("client", "create", "--id", shop, "--set", "display_name=Lanterna");
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const today = new Date();
  for (const [id, monthsAgo, scores] of reviews)
    for (const score of scores) {
      const date = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsAgo, 1));
      const answer = await request.post(`/v1/reviews?client_id=${shop}`, {
        headers: { Authorization: `Bearer ${secret}` },
        data: {
          review: {
            ...{ author: "Ada", score, extract: `Score ${score}`, date: date.toISOString().slice(0, 10), lang: "en" },
            ...{
              pros: id === "RISEN" ? ["Warm light"] : [],
              accepted: score !== 2 ? true : null,
              order: { item: { id, family_id: id } },
            },
          },
        },
      });
      expect(answer.status(), await answer.text()).toBe(201);
    }
  await request.dispose();
  ada = await createPerson("analytics-ada", "moderator", shop);
});

const address = (query = "") => `/portal/analytics?client_id=${shop}${query}`;

test("answers which product lost most since the month before, with the reviews behind it", async ({ page }) => {
  await openAs(page, ada, address());
  await page.getByLabel("Period").selectOption("This month");
  await expect(page).toHaveURL(/period=month/);
  const received = page.locator("dl > div", { hasText: "Reviews received" });
  await expect(received).toContainText("8");
  await expect(received).toContainText("previously 6");
  const table = page.getByRole("region", { name: "Reviews by product" });
  await table.getByRole("link", { name: "Change" }).click();
  await expect(page).toHaveURL(/sort=change/);
  await table.getByRole("link", { name: "Change" }).click();
  await expect(page).toHaveURL(/sort=change&dir=asc/);
  const first = table.getByRole("row").nth(1);
  await expect(first).toContainText("FALLEN");
  await expect(first).toContainText("−4.00");
  await first.getByRole("link", { name: "3" }).click();
  await expect(page).toHaveURL(/\/portal\/library\?.*product=FALLEN.*status=accepted/);
  await expect(page.getByRole("status").filter({ hasText: /^3 reviews$/ })).toBeVisible();
});

test("filters by typed and selected values, and clears them", async ({ page }) => {
  await openAs(page, ada, address());
  await page.getByLabel("Product ID").fill("RISEN");
  await page.getByLabel("Product ID").press("Enter");
  await expect(page).toHaveURL(/product=RISEN/);
  const received = page.locator("dl > div", { hasText: "Reviews received" });
  await expect(received).toContainText("6");
  await page.getByLabel("Stars").focus();
  await page.getByLabel("Stars").selectOption("4–5 ★");
  await expect(page).toHaveURL(/stars=45/);
  await expect(page).toHaveURL(/product=RISEN/);
  await expect(received).toContainText("3");
  // The next option is a key away.
  await expect(page.getByLabel("Stars")).toBeFocused();
  await page.goBack();
  await expect(page.getByLabel("Stars")).toHaveValue("");
  await expect(received).toContainText("6");
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(received).toContainText("14");
  await page.getByLabel("Brand").fill("Nobody");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("No reviews match these filters.")).toBeVisible();
});

test("reads a chart by keyboard, hides a series, and shows it as a table and CSV", async ({ page }) => {
  await openAs(page, ada, address("&period=12m"));
  const chart = page.getByRole("slider", { name: "Reviews by status" });
  await chart.focus();
  await expect(chart).toHaveAttribute("aria-valuetext", /Published 7, Pending 1, Rejected 0/);
  await page.keyboard.press("ArrowLeft");
  await expect(chart).toHaveAttribute("aria-valuetext", /Published 5, Pending 1, Rejected 0/);
  await page.keyboard.press("Home");
  await expect(chart).toHaveAttribute("aria-valuenow", "1");
  const pending = page.getByRole("button", { name: "Pending", exact: true });
  await pending.first().click();
  await expect(pending.first()).toHaveAttribute("aria-pressed", "false");
  await expect(chart).toHaveAttribute("aria-valuetext", /Published \d+, Rejected \d+$/);
  const card = page.getByRole("region", { name: "Reviews", exact: true });
  await card.getByText("Show as table").click();
  const table = card.getByRole("region", { name: "Reviews by status" });
  await table.getByRole("button", { name: "Published" }).click();
  await expect(table.getByRole("columnheader", { name: "Published" })).toHaveAttribute("aria-sort", "descending");
  await expect(table.getByRole("row").nth(1)).toContainText("7");
  const download = page.waitForEvent("download");
  await card.getByRole("link", { name: "Export CSV" }).click();
  const csv = await readFile(await (await download).path(), "utf8");
  expect(csv.split("\r\n")[0]).toBe('"Month","Published","Pending","Rejected"');
  expect(csv.trimEnd().split("\r\n").at(-1)).toContain('"7","1","0"');
});

test("names the pros that reviews mention most, with a link to them", async ({ page }) => {
  await openAs(page, ada, address("&period=month"));
  const topic = page.getByRole("region", { name: "Pros and cons" }).getByRole("listitem").first();
  await expect(topic).toContainText("Warm light");
  await expect(topic).toContainText("3");
  const href = await topic.getByRole("link").getAttribute("href");
  expect(href).toMatch(/^\/portal\/library\?.*q=Warm\+light/);
});

test("exports all groups", async ({ page }) => {
  await openAs(page, ada, address("&period=month&sort=name&dir=asc"));
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).last().click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("reviews-by-product.csv");
  expect(await readFile(await file.path(), "utf8")).toBe(
    "product,name,received,published,rejected,pending,average,average_before\nFALLEN,,4,3,0,1,1,5\nNEW,,1,1,0,0,4,\nRISEN,,3,3,0,0,4.67,\n",
  );
});

test("is accessible, on phones and in the dark", async ({ page }) => {
  await openAs(page, ada, address("&by=rating"));
  // Colors change at once with the scheme, as in expectAccessible.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.getByRole("slider").first().focus();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await axe(page).analyze()).violations).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});
