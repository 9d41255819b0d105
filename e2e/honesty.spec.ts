import { axe, colorRules, expect, test } from "./fixtures";

// The public page on how a store handles reviews, here the demo store's, as a shopper sees it on a phone.

test.use({ viewport: { width: 360, height: 780 } });

const path = "/honesty/demo.candor.example";

test("tells a shopper how a store handles reviews, on a phone, light and dark", async ({ page }) => {
  await expect
    .poll(async () => (await page.goto(path)) && (await page.getByText("reviews received since").count()), {
      message: "the log is appended to every second",
    })
    .toBe(1);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("How Fjord & Fern handles reviews");
  await expect(page.getByRole("heading", { name: "Are bad reviews published too?" })).toBeInViewport();
  expect(await page.locator("script").count()).toBe(0);
  await page.getByText("All figures by stars").click();
  await expect(page.getByRole("rowheader", { name: "Received", exact: true })).toBeVisible();
  await page.getByText("Settings that decide this").click();
  await expect(page.getByText("60 days after the delivery", { exact: true })).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await axe(page).withRules(colorRules).analyze()).violations, "dark").toEqual([]);
});

test("fits a phone in every language", async ({ page }) => {
  for (const lang of ["en", "de", "fr", "es", "sv"]) {
    await page.goto(`${path}?lang=${lang}`);
    await expect(page.locator("html")).toHaveAttribute("lang", lang);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, lang).toBeLessThanOrEqual(360);
  }
});
