import type { Page } from "@playwright/test";
import { photograph } from "@/lib/tools/test/pictures";
import { startExternalShop } from "./external-shop";
import { admin, createPerson, expect, type Login, openAs, test, uniqueName } from "./fixtures";

// Images that can't be loaded: a placeholder instead of the browser's icon, in the portal, the forms and the widget.

const shop = `${uniqueName("images")}.example`;
const logo = "https://cdn.images.example/logo.png";
let person: Login;

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const settings = ["display_name=Lanterna & Co", `config={"logo_url":"${logo}"}`].flatMap((set) => ["--set", set]);
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", shop, ...settings);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const headers = { Authorization: `Bearer ${secret}` };
  const file = { name: "a.jpg", mimeType: "image/jpeg", buffer: await photograph(400, 300).jpeg().toBuffer() };
  const upload = await request.post("/uploader", { multipart: { client_id: shop, api_key: public_key, file } });
  const photo = await upload.json();
  const order = { item: { id: "P-1", name: "Oak lamp" } };
  const review = { author: "Ann", score: 5, extract: "As in the photo.", accepted: true, order, images: [photo] };
  const answer = await request.post("/v1/reviews", { headers, data: { review } });
  expect(answer.status(), await answer.text()).toBe(201);
  const day = new Date().toISOString().slice(0, 10);
  const customer = { id: "C-1", name: "Ada Berg", email: `ada@${shop}`, lang: "en" };
  const bought = { id: "O-1", customer, items: [{ ...order.item, delivery_date: day }] };
  expect((await request.post("/v1/orders", { headers, data: { order: bought } })).status()).toBe(200);
  const later = new Date(Date.now() + 8 * 86_400_000).toISOString();
  await admin("jobs", "run", "send-invitations", "--client", shop, "--now", later);
  await request.dispose();
  person = await createPerson("images-moderator", "moderator", shop);
});

test.afterEach(({ consoleErrors }) => {
  // The browser logs the images that don't load.
  expect(consoleErrors.splice(0).filter((text) => !/ERR_FAILED|ERR_NAME_NOT_RESOLVED|404/.test(text))).toEqual([]);
});

/** Images shown by the browser's icon: they failed, and nothing covers or replaces them. */
const brokenImages = (page: Page) =>
  page
    .locator("img")
    .evaluateAll((images) =>
      (images as HTMLImageElement[])
        .filter(({ complete, naturalWidth }) => complete && naturalWidth === 0)
        .map(({ src }) => src),
    );

test("photos that fail before the page is interactive have a placeholder", async ({ page }) => {
  await page.route("**/images/**", (route) => route.abort());
  // Its scripts come later than its images fail.
  await page.route("**/_next/static/**/*.js", async (route) => {
    await new Promise((done) => setTimeout(done, 500));
    await route.continue();
  });
  await openAs(page, person, "/portal/library/photos");
  await expect(page.getByRole("main").locator(".lucide-image-off").first()).toBeVisible();
  expect(await brokenImages(page)).toEqual([]);
});

test("a form shows the store's name instead of its logo", async ({ page }) => {
  const path = `/reviews/new?client_id=${shop}&product_id=P-1`;
  await page.route(`${logo}*`, (route) => route.abort());
  await page.goto(path);
  await expect(page.getByText("Lanterna & Co", { exact: true }).first()).toBeVisible();
  await expect.poll(() => brokenImages(page)).toEqual([]);
});

test("a page without scripts covers the browser's icon with the store's name", async ({ page }) => {
  await page.route(`${logo}*`, (route) => route.abort());
  const mails = await admin<{ to: string; text: string }[]>("mail", "list");
  const mail = mails.find(({ to }) => to.includes(`ada@${shop}`))?.text ?? "";
  await page.goto(new RegExp(`${process.env.E2E_URL}/o/[^\\s"?]+`).exec(mail)?.[0] ?? "");
  const image = page.getByRole("img", { name: "Lanterna & Co" });
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.complete)).toBe(true);
  const cover = await image.evaluate((each) => getComputedStyle(each, "::after").content);
  expect(cover).toBe('"Lanterna & Co"');
});

test("the widget covers photos that can't be loaded", async ({ page }) => {
  const external = await startExternalShop(process.env.E2E_URL ?? "");
  try {
    await page.route("**/images/**", (route) => route.abort());
    await page.goto(`${external.origin}/?client=${shop}&key=P-1&lang=en`);
    const thumb = page
      .locator("#candor-reviews")
      .getByRole("button", { name: /^Photo 1 of 1/ })
      .first();
    await thumb.scrollIntoViewIfNeeded();
    const image = thumb.locator("img");
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.complete)).toBe(true);
    const cover = await image.evaluate((each: HTMLImageElement) => {
      const { content, position, inset, backgroundColor } = getComputedStyle(each, "::after");
      return {
        loaded: each.naturalWidth > 0,
        content,
        position,
        inset,
        isOpaque: !/, 0\)|transparent/.test(backgroundColor),
      };
    });
    expect(cover).toEqual({ loaded: false, content: '""', position: "absolute", inset: "0px", isOpaque: true });
  } finally {
    await external.close();
  }
});
