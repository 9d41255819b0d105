import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "./fixtures";

// The documentation, as a stranger reads it.

test("tells the API in light, in dark and on a phone", async ({ page, request }) => {
  test.slow(); // axe reads a page of some thousand cells
  const answer = await page.goto("/docs");
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The Candor API");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await new AxeBuilder({ page }).withRules("color-contrast").analyze()).violations).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByText("Contents", { exact: true }).click();
  await page.getByRole("link", { name: "POST /v1/orders" }).click();
  await expect(page.getByRole("heading", { name: "POST /v1/orders" })).toBeInViewport();

  const description = await (await request.get("/v1/openapi.json")).json();
  expect(description.openapi).toBe("3.1.0");
  for (const path of Object.keys(description.paths))
    await expect(page.getByText(path, { exact: true }).first()).toBeAttached();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("tells the same", async ({ page }) => {
    await page.goto("/docs#Review");
    await expect(page.getByRole("heading", { name: "Review", exact: true })).toBeInViewport();
    const errors = page.locator('[id="orders.post"] details');
    await expect(errors.getByText("invalid_field")).toBeHidden();
    await errors.locator("summary").click();
    await expect(errors.getByText("invalid_field")).toBeVisible();
  });
});

test("an address below the API where nothing is answers as every other issue", async ({ request }) => {
  for (const path of ["/v1/nothing", "/v1", "/collect/nothing", "/portal/api/v1/nothing"]) {
    const answer = await request.get(path);
    expect(answer.status()).toBe(404);
    expect((await answer.json()).errors[0].code).toBe("not_found");
  }
});

test("no redirect and no page repeats a key that a caller put into an address", async ({ request, baseURL }) => {
  const key = "sk_0a0a0a0a";
  const paths = [
    "/portal/reviews?",
    "/portal/sign-in?to=/portal&",
    "/v1/clients/?",
    "/portal/?",
    "/nothing?",
    "/nothing/?",
  ];
  const targets = [...paths.map((path) => `${path}token=${key}`), `/portal&token=${key}`];
  for (const target of [...targets, `//v1//clients?token=${key}`]) {
    const answer = await request.get(`${baseURL}${target}`, { maxRedirects: 0 });
    expect(JSON.stringify(answer.headersArray()), target).not.toContain(key);
    expect(await answer.text(), target).not.toContain(key);
  }
});
