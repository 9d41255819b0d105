import type { Browser } from "@playwright/test";
import { admin, axe, createPerson, demoLogin, expect, openAs, signIn, test, uniqueName } from "./fixtures";

// The portal alone: sign-in, access checks and the queue by keyboard.

type Review = { id: string; extract: string; accepted: boolean | null; reject_reason: string | null };
type Shop = { id: string; username: string; password: string; get: (path: string) => Promise<{ data: Review[] }> };

const texts = ["The first to come.", "The second to come.", "The third to come."];
let shop: Shop;
let otherStoreId: string;

test.beforeAll(async ({ playwright }) => {
  const baseURL = process.env.E2E_URL ?? "";
  const request = await playwright.request.newContext({ baseURL });
  const createStore = async (id: string): Promise<string> => {
    const client = await admin<{ public_key: string }>(
      "client",
      "create",
      "--id",
      id,
      "--set",
      "display_name=Portal & Sons",
    );
    for (const content of texts) {
      const data = {
        client_id: id,
        api_key: client.public_key,
        product_id: "P-1",
        product_name: "Sturdy box",
        author: "Ann",
        score: 3,
        content,
      };
      expect((await request.post("/collect/reviews", { data })).status()).toBe(201);
    }
    return (await admin<{ secret: string }>("key", "create", "--client", id)).secret;
  };
  const id = `${uniqueName("portal")}.example`;
  const key = await createStore(id);
  otherStoreId = `${uniqueName("portal-foreign")}.example`;
  await createStore(otherStoreId);
  const order = {
    id: "O/1",
    customer: { id: "C-1", name: "Ann Berg", email: "ann@portal.example" },
    items: [{ id: "P-1", name: "Sturdy box", delivery_date: "2030-01-01" }],
  };
  const headers = { Authorization: `Bearer ${key}` };
  expect((await request.post("/v1/orders", { headers, data: { order } })).status()).toBe(200);
  const person = await createPerson("portal-moderator", "moderator", id);
  const get: Shop["get"] = async (path) => (await request.get(path, { headers })).json();
  shop = { id, ...person, get };
});

const withoutScript = async (browser: Browser) =>
  (await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.E2E_URL })).newPage();

test("sign-in works without JavaScript, at either local host name, and returns to the page", async ({ browser }) => {
  const page = await withoutScript(browser);
  for (const origin of [process.env.E2E_URL ?? "", (process.env.E2E_URL ?? "").replace("localhost", "127.0.0.1")]) {
    await page.goto(`${origin}/portal/orders?q=O%2F1`);
    await page.getByLabel("Username").fill(shop.username);
    await page.getByLabel("Password").fill("guess");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toContainText("Incorrect username or password.");
    await page.getByLabel("Password").fill(shop.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(`${origin}/portal/orders?q=O%2F1`);
    await expect(page.getByRole("link", { name: "O/1" })).toBeVisible();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(`${origin}/portal/sign-in`);
    await page.goto(`${origin}/portal`);
    await expect(page).toHaveURL(`${origin}/portal/sign-in?to=%2Fportal`);
  }
  // A link to another site leads to the home page instead.
  await page.goto("/portal/sign-in?to=//evil.example");
  await page.getByLabel("Username").fill(shop.username);
  await page.getByLabel("Password").fill(shop.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/portal");
  await page.context().close();
});

test("a sign-out that fails on a phone shows an error and works on retry", async ({ page, consoleErrors }) => {
  await page.setViewportSize(phone);
  await signIn(page, shop, "/portal/orders");
  const signOut = async () => {
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  await page.route("**/portal/orders*", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await signOut();
  await expect(page.getByRole("heading", { name: "This page couldn’t be loaded" })).toBeVisible();
  // The console has the failure that the test causes, and no unhandled error.
  expect(consoleErrors.splice(0).filter((text) => !/Failed to (load resource|fetch)/.test(text))).toEqual([]);
  await page.unrouteAll();
  await page.getByRole("button", { name: "Try again" }).click();
  await signOut();
  await expect(page).toHaveURL("/portal/sign-in");
});

test("access checks respond with real statuses, and no page can be framed", async ({ page, consoleErrors }) => {
  await openAs(page, shop);
  const [review] = (await shop.get("/v1/reviews")).data;
  const expectSafe = (headers: Record<string, string>, path: string) => {
    expect(headers["content-security-policy"], path).toContain("frame-ancestors 'none'");
    expect(headers["content-security-policy"], path).toMatch(/script-src [^;]*'nonce-/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
  };
  // Other tests open these in the browser.
  for (const path of [
    "/portal",
    "/portal/queue",
    "/portal/reviews",
    "/portal/questions",
    `/portal/reviews/${review?.id}`,
    "/portal/orders",
    "/portal/orders/O%2F1",
    "/portal/integrations",
    "/portal/settings/display",
    "/portal/settings/questions",
    "/portal/products",
    "/portal/feeds",
  ]) {
    const answer = await page.request.get(`${path}?client_id=${shop.id}`);
    expect(answer.status(), path).toBe(200);
    expectSafe(answer.headers(), path);
    expect((await answer.text()).match(/<main\b/g), path).toHaveLength(1);
  }
  for (const path of [
    "/portal/seller_reviews",
    "/portal/invitations",
    "/portal/settings/invitations",
    "/portal/settings",
    "/portal/failures",
    "/portal/analytics",
    "/portal/bias",
  ]) {
    const answer = await page.goto(`${path}?client_id=${shop.id}`);
    expect(answer?.status(), path).toBe(200);
    expectSafe((await answer?.allHeaders()) ?? {}, path);
    await expect(page.getByRole("main")).toHaveCount(1);
  }
  expect(consoleErrors).toEqual([]);
  const unknown = [
    `/portal/reviews?client_id=${otherStoreId}`,
    "/portal/reviews?client_id=nobody.example",
    "/portal/reviews/0123456789abcdef",
    `/portal/questions/${review?.id}`,
    "/portal/seller_reviews/0123456789abcdef",
    "/portal/orders/none",
    "/portal/orders/%E0%A4%A",
    "/portal/orders/%00",
    "/portal/orders?after=nonsense",
    "/portal/mailbox",
    "/portal/jobs",
    "/portal/settings/keys",
    "/portal/settings/people",
    "/portal/imports",
    "/portal/imports/none",
    "/portal/accounts",
    "/portal/products/none",
    "/portal/products?after=nonsense",
    "/portal/nothing",
  ];
  for (const path of unknown) expect((await page.request.get(path)).status(), path).toBe(404);
  const signedOut = await page.request.get("/portal/reviews", { headers: { cookie: "" }, maxRedirects: 0 });
  expect([signedOut.status(), signedOut.headers().location]).toEqual([307, "/portal/sign-in?to=%2Fportal%2Freviews"]);
});

test("a moderator approves, rejects and undoes by keyboard alone", async ({ page }) => {
  await openAs(page, shop, "/portal/reviews");
  const article = page.getByRole("article");
  await expect(article).toContainText(texts[0] ?? "");
  await page.keyboard.press("j");
  await expect(article).toContainText(texts[1] ?? "");
  await page.keyboard.press("k");
  await page.keyboard.press("a");
  await expect(page.getByText("Approved. 2 left.").first()).toBeVisible();
  await expect(article).toContainText(texts[1] ?? "");
  await page.keyboard.press("u");
  await expect(article).toContainText(texts[0] ?? "");
  const decided = async () =>
    (await shop.get("/v1/reviews")).data.map(({ accepted, reject_reason }) => [accepted, reject_reason]);
  await expect.poll(decided).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ]);
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog", { name: "Reason for rejection" })).toBeVisible();
  await page.keyboard.press("8");
  await expect(page.getByText("Rejected: Product not used yet. 2 left.").first()).toBeVisible();
  await expect.poll(decided).toEqual([
    [false, "not_tested"],
    [null, null],
    [null, null],
  ]);
  // Reasons after the ninth have keys, too, and show them.
  await page.keyboard.press("u");
  await expect(article).toContainText(texts[0] ?? "");
  await page.keyboard.press("r");
  await expect(page.getByRole("button", { name: "Other Author not notified T" })).toBeVisible();
  await page.keyboard.press("0");
  await expect(page.getByText("Rejected: Hate or discrimination. 2 left.").first()).toBeVisible();
  await page.keyboard.press("u");
  await expect(article).toContainText(texts[0] ?? "");
  await page.keyboard.press("r");
  await expect(page.getByRole("button", { name: "Other Author not notified T" })).toBeVisible();
  await page.keyboard.press("t");
  await expect(page.getByText("Rejected: Other. 2 left.").first()).toBeVisible();
  await expect.poll(decided).toEqual([
    [false, "ignored"],
    [null, null],
    [null, null],
  ]);

  // Typing doesn't decide items. The view is in the URL.
  await page.keyboard.press("/");
  await page.keyboard.type("a");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  expect(await decided()).toEqual([
    [false, "ignored"],
    [null, null],
    [null, null],
  ]);
  await page.goto("/portal/reviews?status=rejected");
  await expect(article).toContainText("Other");
  await page.keyboard.press("p");
  await expect(page.getByRole("heading", { name: "No reviews yet" })).toBeVisible();
  await expect.poll(decided).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ]);
});

test("a decision the server refuses is undone, with an error", async ({ page, consoleErrors }) => {
  await openAs(page, shop, "/portal/reviews");
  await expect(page.getByRole("article")).toContainText(texts[0] ?? "");
  await page.route("**/portal/api/v1/queue/review/*", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Couldn’t save.").first()).toBeVisible();
  await expect(page.getByRole("list", { name: "Queue" }).getByRole("listitem")).toHaveCount(3);
  expect((await shop.get("/v1/reviews?moderation_status=pending")).data).toHaveLength(3);
  // The browser logs the connection that the test aborts.
  expect(consoleErrors.splice(0).filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
});

const phone = { width: 390, height: 844 };

test("an order shows when its invitation is scheduled; only operators see the mailbox and jobs", async ({
  page,
  browser,
}) => {
  await openAs(page, shop, "/portal/orders");
  await page.getByRole("link", { name: "O/1" }).click();
  await expect(page.getByRole("list", { name: "Items" })).toContainText("Scheduled for 8 Jan 2030");
  await expect(page.getByRole("list", { name: /Timeline/ })).toContainText("Invitation will be sent.");
  for (const name of ["Mailbox", "Failures"]) await expect(page.getByRole("link", { name })).toHaveCount(0);
  const other = await (await browser.newContext({ baseURL: process.env.E2E_URL })).newPage();
  await openAs(other, demoLogin, "/portal/mailbox");
  await expect(other.getByRole("heading", { name: "Mailbox" })).toBeVisible();
  await expect(other.getByRole("link", { name: "Failures" })).toBeVisible();
  await other.goto(`/portal/accounts?q=${shop.id}`);
  await expect(other.getByRole("link", { name: "Portal & Sons" }).first()).toBeVisible();
  expect((await axe(other).analyze()).violations).toEqual([]);
  await admin("jobs", "run", "clean-up");
  await other.goto("/portal/jobs");
  const row = other.getByRole("table", { name: "Job runs" }).getByRole("row").filter({ hasText: "clean-up" });
  await expect(row.first()).toContainText("Completed");
  expect((await axe(other).analyze()).violations).toEqual([]);
  await other.context().close();
});
