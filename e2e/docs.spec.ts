import { axe, expect, test } from "./fixtures";

// The documentation as a signed-out visitor reads it.

test("shows the API reference and calls the API, without requests to other servers", async ({ page, baseURL }) => {
  test.slow(); // the API reference is the heaviest page
  const hosts = new Set<string>();
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith("http")) hosts.add(host);
  });
  const answer = await page.goto("/docs");
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole("heading", { name: "Candor API" })).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: "Open Group - Webhooks" }).click();
  await expect(page.getByText("A review was published.").first()).toBeVisible();

  await page.getByPlaceholder("Token").fill("sk_demo_0123456789abcdef");
  await page.getByRole("button", { name: "Test Request" }).first().click();
  const called = page.waitForResponse((response) => new URL(response.url()).pathname === "/v1/clients");
  await page.getByRole("dialog").getByRole("button", { name: "Send get request" }).click();
  const response = await called;
  expect(response.status()).toBe(200);
  expect(await response.json()).toMatchObject({ data: [{ id: "demo.candor.example" }] });
  await expect(page.getByRole("dialog").getByText("200 OK").first()).toBeVisible();
  expect([...hosts]).toEqual([new URL(baseURL ?? "").host]);
});

test("shows guides in light and dark mode, on a phone and without JavaScript", async ({ browser, page }) => {
  await page.goto("/docs/guides");
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Webhooks");
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await axe(page).withRules("color-contrast").analyze()).violations).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  const plain = await browser.newContext({ javaScriptEnabled: false });
  const bare = await plain.newPage();
  await bare.goto("/docs/webhooks");
  await expect(bare).toHaveURL(/\/docs\/guides\/webhooks$/);
  await expect(bare.getByText("verify.py")).toBeVisible();
  await bare.goto("/docs");
  await expect(bare.getByRole("link", { name: "OpenAPI description" })).toBeVisible();
  await plain.close();
});

test("an unknown path below the API returns 404 as a problem document", async ({ request }) => {
  for (const path of ["/v1/nothing", "/v1", "/collect/nothing", "/portal/api/v1/nothing"]) {
    const answer = await request.get(path);
    expect(answer.status()).toBe(404);
    expect((await answer.json()).errors[0].code).toBe("not_found");
  }
});

test("no redirect or page repeats a key that a caller put in the URL", async ({ request, baseURL }) => {
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
