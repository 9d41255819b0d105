import type { APIRequestContext, Page } from "@playwright/test";
import { openShopPage, startExternalShop } from "./external-shop";
import { admin, expect, test, uniqueName } from "./fixtures";

// Pages made for a hosted service, where only the host has changed: another origin, whose policy allows only this service.

const DEMO = "demo.candor.example";
const LAMP = "FF-LAMP-BRASS";
const ID = `${uniqueName("compat")}.example`;
const PRODUCT = "LAMP/1 é";
const service = () => process.env.E2E_URL ?? "";

let shop: Awaited<ReturnType<typeof startExternalShop>>;
let api: APIRequestContext;
let headers: Record<string, string>;

test.beforeAll(async ({ playwright }) => {
  api = await playwright.request.newContext({ baseURL: service() });
  shop = await startExternalShop(service());
  await admin("client", "create", "--id", ID, "--set", "display_name=Lanterna & Co");
  headers = { Authorization: `Bearer ${(await admin<{ secret: string }>("key", "create", "--client", ID)).secret}` };
  for (const [id, score] of [
    [PRODUCT, 5],
    [PRODUCT, 4],
    ["SHADE", 2],
  ] as const) {
    const data = {
      review: { accepted: true, score, author: "Bo", extract: `Rated ${score}.`, order: { item: { id } } },
    };
    expect((await api.post("/v1/reviews", { headers, data })).status()).toBe(201);
  }
});
test.afterAll(() => shop.close());

const script = (client: string, path = `/onpage/${client}/head.js`, attributes = "async") =>
  `<script ${attributes} src="${service()}${path}"></script>`;
const badge = (page: Page) => page.locator("#testfreaks-badge");
const reviews = (page: Page) => page.locator("#testfreaks-reviews");
/** Runs commands in the open page. */
const push = (page: Page, ...commands: unknown[]) =>
  page.evaluate((given) => {
    (window as unknown as { testFreaks: unknown[] }).testFreaks.push(...given);
  }, commands);
const received = (page: Page) => page.evaluate(() => (window as unknown as { received: unknown[] }).received);
/** The ids of the products that the page has structured data of. */
const structuredSkus = async (page: Page) =>
  (await page.locator("script[type='application/ld+json']").allTextContents()).map((text) => JSON.parse(text).sku);
const loaded = /(^| )testfreaks-loaded( |$)/;

/** All places of a product page, in sections where the page has them. */
const productPlaces = `
  <div class="testfreaks-section" id="top"><div id="testfreaks-badge"></div></div>
  <div id="testfreaks-seller" data-mode="badge"></div><div id="testfreaks-videos"></div>
  <div class="testfreaks-section"><div id="testfreaks-reviews"></div></div><div id="testfreaks-qa"></div>`;

test("a product page with a queue shows badge, reviews, questions and seller, without layout shift", async ({
  page,
}) => {
  const address = shop.addPage("queue", {
    head: script(DEMO),
    body: productPlaces,
    script: `
      window.received = [];
      testFreaks = window.testFreaks || [];
      testFreaks.push(["setOptions", {
        onData: () => { throw new Error("broken callback"); },
        onReviews: (data) => received.push(["onReviews", data.your_review_count]),
        onNoReviews: () => received.push(["onNoReviews"]),
        onNoQA: () => received.push(["onNoQA"]),
        onQA: (data) => received.push(["onQA", data.your_question_count]),
      }]);
      testFreaks.push(["setApiHost", "js.vendor.example"], ["setAnalytics", true], ["neverHeardOf", 1], ["neverHeardOf", 2]);
      testFreaks.push(["setProductId", "${LAMP}"]);
      testFreaks.push(["load", ["badge", "reviews", "qa", "seller", "videos"]]);`,
  });
  const hints: string[] = [];
  page.on("console", (message) => message.text().startsWith("candor: ") && hints.push(message.text()));
  const { requestedUrls, layoutShift } = await openShopPage(page, address);
  await expect(badge(page)).toContainText("4.5");
  await expect(badge(page)).toContainText("2 reviews");
  await expect(reviews(page).getByRole("article")).toHaveCount(2);
  await expect(page.locator("#testfreaks-qa").getByRole("article")).toHaveCount(2);
  await expect(page.locator("#testfreaks-seller")).toContainText("Fjord & Fern · 5 reviews");
  for (const place of ["badge", "reviews", "qa", "seller"])
    await expect(page.locator(`#testfreaks-${place}`)).toHaveClass(loaded);
  await expect(page.locator("#testfreaks-videos")).not.toHaveClass(loaded);
  await expect(page.locator(".testfreaks-section-loaded")).toHaveCount(2);
  // A callback that throws doesn't stop the others.
  await expect
    .poll(() => received(page))
    .toEqual([
      ["onReviews", 2],
      ["onQA", 2],
    ]);
  expect(hints.filter((text) => text.includes("neverHeardOf"))).toEqual(["candor: there is no command neverHeardOf"]);
  expect(hints).toContain("candor: setApiHost has no effect");
  await badge(page).getByRole("button").click();
  await expect(reviews(page).getByRole("heading", { name: "Customer reviews" })).toBeInViewport();
  await page.getByText("Imprint").scrollIntoViewIfNeeded();
  expect(await layoutShift()).toBe(0);
  for (const url of requestedUrls) expect([shop.origin, service()]).toContain(new URL(url).origin);
  expect(requestedUrls.filter((url) => /vendor/.test(url))).toEqual([]);
});

test("prd.js after the markup shows the page's product, and its votes, reports and form work", async ({ page }) => {
  const address = shop.addPage("prd", {
    script: `testFreaks = [["setProductId", "${PRODUCT}"]];`,
    body: `${productPlaces}${script(ID, `/onpage/${ID}/prd.js`, "")}`,
  });
  await openShopPage(page, address);
  await expect(badge(page)).toContainText("4.5");
  const review = reviews(page).getByRole("article").filter({ hasText: "Rated 4." });
  // Content that doesn't fit the reserved height shows on use.
  await page.setViewportSize({ width: 1000, height: 1600 });
  await review.getByRole("button", { name: "Yes" }).click();
  const counts = async () => {
    const { data } = await (await api.get("/v1/reviews", { headers })).json();
    const { votes_up, votes_down } = data.find(({ extract }: { extract: string }) => extract === "Rated 4.");
    return [votes_up, votes_down];
  };
  await expect.poll(counts).toEqual([1, 0]);
  await review.getByRole("button", { name: "Report" }).click();
  await review.getByLabel("What’s wrong with this review?").fill("Names a person.");
  await review.getByRole("button", { name: "Submit" }).click();
  await expect(review).toContainText("Thanks for letting us know.");
  await reviews(page).getByRole("button", { name: "Write a review" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("radio", { name: /^3 stars/ }).check();
  await form.getByLabel(/^Your review/).fill("Bright enough.");
  await form.getByLabel(/^Display name/).fill("Ida");
  await form.getByRole("button", { name: "Submit" }).click();
  await expect(form.getByRole("heading", { name: "Thank you" })).toBeVisible();
  const { data } = await (await api.get("/v1/reviews?moderation_status=pending", { headers })).json();
  expect(data).toEqual([expect.objectContaining({ author: "Ida", score: 3, product_ids: [PRODUCT] })]);
});

test("the other addresses of the script work too, and a badge can have its own click", async ({ page }) => {
  for (const path of [`/onpage/${ID}/async.js`, `/badge/${ID}/head.js`]) {
    const address = shop.addPage("other", {
      head: script(ID, path),
      script: `
        testFreaks = window.testFreaks || [];
        testFreaks.push(["setProductId", ["SHADE"]], ["onBadgeClick", () => { document.title = "clicked"; }]);
        testFreaks.push(["load", "badge"]);`,
      body: `<a href="#" id="testfreaks-badge"></a><div id="testfreaks-reviews"></div>`,
    });
    await openShopPage(page, address);
    await expect(badge(page)).toContainText("2.0");
    await badge(page).getByRole("button").click();
    await expect(page).toHaveTitle("clicked");
    await expect(reviews(page)).not.toHaveClass(loaded);
  }
});

test("contexts have their own products and places", async ({ page }) => {
  const address = shop.addPage("contexts", {
    head: script(ID),
    script: `
      testFreaks = window.testFreaks || [];
      testFreaks.push(["setProductId", "${PRODUCT}"], ["load", ["badge"]]);
      testFreaks.push(["popup.setProductId", { id: "SHADE", older: 17 }], ["popup.load", ["badge", "reviews"]]);
      testFreaks.push(["__proto__.load"], ["constructor", {}], [["load"]], null);`,
    body: `<div id="testfreaks-badge"></div><div id="testfreaks-badge-popup"></div><div id="testfreaks-reviews-popup"></div>`,
  });
  const { requestedUrls, layoutShift } = await openShopPage(page, address);
  await expect(badge(page)).toContainText("4.5");
  await expect(page.locator("#testfreaks-badge-popup")).toContainText("2.0");
  await expect(page.locator("#testfreaks-reviews-popup").getByRole("article")).toHaveText(/Rated 2\./);
  expect(await layoutShift()).toBe(0);
  // Several ids are alternatives.
  const summaries = requestedUrls
    .map((url) => new URL(url))
    .filter(({ pathname }) => pathname.endsWith("/reviews.json"));
  expect(
    summaries.map(({ searchParams }) => [searchParams.get("key"), ...searchParams.getAll("keys[]")]),
  ).toContainEqual(["SHADE", "17"]);
  // Resetting one leaves the others.
  await push(page, ["popup.reset"]);
  await expect(page.locator("#testfreaks-badge-popup")).not.toContainText("2.0");
  await expect(page.locator("#testfreaks-badge-popup")).not.toHaveClass(loaded);
  await expect(badge(page)).toContainText("4.5");
  await push(page, ["popup.setProductId", "SHADE"], ["popup.load", "badge"]);
  await expect(page.locator("#testfreaks-badge-popup")).toContainText("2.0");
});

test("a listing without any call shows its stars by one request", async ({ page }) => {
  const filler = Array.from({ length: 150 }, (_, n) => `<li class="testfreaks-item" data-product-id="NONE-${n}"></li>`);
  const address = shop.addPage("listing", {
    head: script(DEMO),
    body: `<ul>
      <li class="testfreaks-item" data-product-id="${LAMP}"></li>
      <li><a href="#"><span class="testfreaks-item" data-product-id="${LAMP}" data-show-rating="true"></span></a></li>
      <li><div class="testfreaks-item" data-product-id="UNKNOWN" data-family-id="FF-LAMP"></div></li>
      ${filler.join("")}</ul>`,
  });
  const { requestedUrls, layoutShift } = await openShopPage(page, address);
  const items = page.locator(".testfreaks-item");
  await expect(items.nth(0)).toHaveText(/^\(\d+\)$/);
  await expect(items.nth(1)).toHaveText(/^\d\.\d\(\d+\)$/);
  await expect(items.nth(2)).toHaveText(/^\(\d+\)$/);
  await expect(items.nth(0).getByRole("img", { name: /stars/ })).toBeVisible();
  for (const n of [0, 1, 2]) await expect(items.nth(n)).toHaveClass(loaded);
  await expect(items.nth(3)).not.toHaveClass(loaded);
  expect(requestedUrls.filter((url) => url.includes("/ratings.json"))).toHaveLength(1);
  expect(await layoutShift()).toBe(0);
  // Items that the page adds later show when it asks for them.
  await page.evaluate((id) => {
    const item = document.createElement("li");
    item.className = "testfreaks-item";
    item.dataset.productId = id;
    document.querySelector("ul")?.prepend(item);
  }, LAMP);
  await expect(items.nth(0)).toHaveText("");
  await push(page, ["load", ["items"]]);
  await expect(items.nth(0)).toHaveText(/^\(\d+\)$/);
  await expect(items.nth(0)).toHaveClass(loaded);
});

test("the store's reviews show as badge, content and sidebar", async ({ page }) => {
  const address = shop.addPage("seller", {
    head: script(DEMO),
    script: `
      testFreaks = window.testFreaks || [];
      testFreaks.push(["load", ["seller"]], ["all.load", ["seller"]], ["aside.load", ["seller"]]);`,
    body: `
      <div id="testfreaks-seller" data-mode="badge" data-exact-count="true"></div>
      <div id="testfreaks-seller-all" data-mode="content" data-review-limit="2"></div>
      <div id="testfreaks-seller-aside" data-mode="sidebar"></div>`,
  });
  const { layoutShift } = await openShopPage(page, address);
  const line = page.locator("#testfreaks-seller");
  const all = page.locator("#testfreaks-seller-all");
  const aside = page.locator("#testfreaks-seller-aside");
  await expect(line).toContainText("Fjord & Fern · 5 reviews");
  await expect(all.getByRole("article")).toHaveCount(2);
  await expect(aside.getByRole("article")).toHaveCount(3);
  await expect(aside.getByRole("button", { name: /more/i })).toHaveCount(0);
  expect(await layoutShift()).toBe(0);
  await page.setViewportSize({ width: 1000, height: 2000 });
  const showAll = all.getByRole("button", { name: "Show all", exact: true });
  if (await showAll.isVisible()) await showAll.click();
  for (const count of [4, 5]) {
    await all.getByRole("button", { name: /more/i }).click();
    await expect(all.getByRole("article")).toHaveCount(count);
  }
  await line.getByRole("button").click();
  await expect(page.getByRole("dialog").getByRole("article")).toHaveCount(5);
});

test("a single-page shop shows another product after a reset", async ({ page }) => {
  // The first page has neither markup nor calls.
  const address = shop.addPage("single", {
    head: script(ID),
    script: `
      function openProduct(id) {
        document.querySelector("main").replaceChildren(...["badge", "reviews"].map((name) => {
          const place = document.createElement("div");
          place.id = "testfreaks-" + name;
          return place;
        }));
        window.testFreaks = window.testFreaks || [];
        testFreaks.push(["reset"]);
        testFreaks.push(["setProductId", id]);
        testFreaks.push(["setOptions", { onNoReviews: () => { document.title = "No reviews"; } }]);
        testFreaks.push(["load", ["badge", "reviews"]]);
      }`,
    body: "",
  });
  const { requestedUrls } = await openShopPage(page, address);
  await expect.poll(() => page.evaluate(() => "candor" in window)).toBe(true);
  expect(requestedUrls.filter((url) => url.includes("compat.js"))).toEqual([]);
  const open = (id: string) =>
    page.evaluate((product) => (window as unknown as { openProduct: (id: string) => void }).openProduct(product), id);
  await open(PRODUCT);
  await expect(badge(page)).toContainText("2 reviews");
  await open("SHADE");
  await expect(badge(page)).toContainText("1 review");
  await expect(reviews(page).getByRole("article")).toHaveText(/Rated 2\./);
  // Two in a row: only the last one shows.
  await page.evaluate((product) => {
    const { openProduct } = window as unknown as { openProduct: (id: string) => void };
    openProduct(product);
    openProduct("NOBODY-HAS");
  }, PRODUCT);
  await expect(badge(page)).toContainText("Be the first");
  await expect(page).toHaveTitle("No reviews");
  await expect(reviews(page).getByRole("article")).toHaveCount(0);
  // The places are empty after a reset alone.
  await push(page, ["reset"]);
  await expect(badge(page)).toHaveText("");
  await expect(badge(page)).not.toHaveClass(loaded);
});

test("structured data is added where the page wants it, and removed by a reset", async ({ page }) => {
  const address = shop.addPage("schema", {
    head: script(ID),
    script: `
      testFreaks = window.testFreaks || [];
      testFreaks.push(["setProductId", "${PRODUCT}"], ["setAggregateRatingSchema", true], ["load", "badge"]);`,
    body: `<div id="testfreaks-badge"></div>`,
    hasStructuredData: true,
  });
  await openShopPage(page, address);
  const data = page.locator("script[type='application/ld+json']");
  await expect(data).toHaveCount(1);
  expect(JSON.parse((await data.textContent()) ?? "")).toMatchObject({ aggregateRating: { reviewCount: 2 } });
  await push(page, ["reset"]);
  await expect(data).toHaveCount(0);
});

test("structured data that arrives late doesn't replace another product's", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((go) => {
    release = go;
  });
  await page.route("**/product.jsonld*", async (route) => {
    if (route.request().url().includes("LAMP")) await held;
    await route.continue();
  });
  const address = shop.addPage("schema-late", {
    head: script(ID),
    script: `
      testFreaks = window.testFreaks || [];
      testFreaks.push(["setAggregateRatingSchema"], ["setProductId", "${PRODUCT}"], ["load", "badge"]);
      testFreaks.push(["setProductId", "SHADE"], ["load", "badge"]);`,
    body: `<div id="testfreaks-badge"></div>`,
    hasStructuredData: true,
  });
  await openShopPage(page, address);
  await expect.poll(() => structuredSkus(page)).toEqual(["SHADE"]);
  const late = page.waitForResponse((response) => /product\.jsonld.*LAMP/.test(response.url()));
  release();
  await (await late).finished();
  await page.evaluate(() => new Promise((go) => setTimeout(go, 100)));
  await expect.poll(() => structuredSkus(page)).toEqual(["SHADE"]);
});

test("structured data isn't added where the page turns it off", async ({ page }) => {
  const values = [false, 0, null, "false", ""];
  const address = shop.addPage("schema-off", {
    head: script(ID),
    script: `
      testFreaks = window.testFreaks || [];
      testFreaks.push(["setProductId", "${PRODUCT}"]);
      ${JSON.stringify(values)}.forEach((value, n) =>
        testFreaks.push([n + ".setAggregateRatingSchema", value], [n + ".load", "badge"]));`,
    body: values.map((_, n) => `<div id="testfreaks-badge-${n}"></div>`).join(""),
    hasStructuredData: true,
  });
  const { requestedUrls } = await openShopPage(page, address);
  for (const n of values.keys()) await expect(page.locator(`#testfreaks-badge-${n}`)).toContainText("4.5");
  const requests = () => requestedUrls.filter((url) => url.includes("/product.jsonld"));
  expect(requests()).toEqual([]);
  await push(page, ["0.setAggregateRatingSchema", "true"], ["0.load", "badge"]);
  await expect.poll(requests).toHaveLength(1);
});

/** A page whose commands are all queued before the script loads. */
const addQueuedPage = (name: string, commands: unknown[], body: string) =>
  shop.addPage(name, {
    script: `testFreaks = ${JSON.stringify(commands)};`,
    body: `${body}${script(ID, undefined, "")}`,
  });

test("queued commands keep their order", async ({ page }) => {
  const places = `<div id="testfreaks-badge"></div><div id="testfreaks-reviews"></div><div id="testfreaks-badge-last"></div>`;
  await test.step("nothing is shown after a reset", async () => {
    const commands = [
      ["setProductId", PRODUCT],
      ["load", "badge"],
      ["reset"],
      ["setProductId", "SHADE"],
      // Shows that all before it has run.
      ["last.load", "badge"],
    ];
    const { requestedUrls } = await openShopPage(page, addQueuedPage("order-reset", commands, places));
    await expect(page.locator("#testfreaks-badge-last")).toContainText("2.0");
    await expect(badge(page)).toHaveText("");
    expect(requestedUrls.filter((url) => url.includes("key=LAMP"))).toEqual([]);
  });
  await test.step("each place shows the product set before its load", async () => {
    const commands = [
      ["setProductId", PRODUCT],
      ["load", "badge"],
      ["setProductId", "SHADE"],
      ["load", "reviews"],
    ];
    await openShopPage(page, addQueuedPage("order-two", commands, places));
    await expect(badge(page)).toContainText("4.5");
    await expect(reviews(page).getByRole("article")).toHaveText(/Rated 2\./);
  });
  await test.step("what was loaded before a reset calls nothing back", async () => {
    const commands = ["setProductId", "load", "reset", "setProductId", "load"].map((name) =>
      name === "setProductId" ? [name, PRODUCT] : [name],
    );
    const callbacks = `
      window.received = [];
      window.options = Object.fromEntries(["onData", "onReviews"].map((name) => [name, () => received.push(name)]))`;
    const address = shop.addPage("order-again", {
      script: `${callbacks};testFreaks = [["setOptions", options], ...${JSON.stringify(commands)}];`,
      body: `${places}${script(ID, undefined, "")}`,
    });
    await openShopPage(page, address);
    await expect(badge(page)).toContainText("4.5");
    await expect(reviews(page).getByRole("article")).toHaveCount(2);
    await expect.poll(() => received(page)).toEqual(["onData", "onReviews"]);
  });
});

test("commands wait until the script for them can be loaded, and run once in their order", async ({
  page,
  consoleErrors,
}) => {
  const attempts: string[] = [];
  const warnings: string[] = [];
  let isBlocked = true;
  await page.route("**/compat.js*", (route) => {
    attempts.push(route.request().url());
    if (!isBlocked) return route.continue();
    return attempts.length === 1 ? route.abort() : route.fulfill({ status: 503 });
  });
  page.on("console", (message) => message.text().startsWith("candor: ") && warnings.push(message.text()));
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  const address = shop.addPage("blocked", {
    head: script(ID),
    script: `
      window.received = [];
      testFreaks = window.testFreaks || [];
      testFreaks.push(["setProductId", "${PRODUCT}"]);
      record = (name) => ["setOptions", { get onData() { received.push(name); } }];`,
    body: `<div id="testfreaks-badge"></div>`,
  });
  await openShopPage(page, address);
  await expect.poll(() => warnings.length).toBe(1);
  await page.evaluate(() => {
    const { testFreaks, record } = window as unknown as { testFreaks: unknown[]; record: (name: number) => unknown };
    Object.assign(window, { kept: testFreaks.push });
    for (let n = 0; n < 60; n += 1) testFreaks.push(record(n));
    testFreaks.push(["load", "badge"]);
  });
  expect([attempts.length, warnings.length]).toEqual([1, 1]);
  await page.clock.runFor(1_000);
  await expect.poll(() => [attempts.length, warnings.length]).toEqual([2, 2]);
  // The pauses grow.
  await page.clock.runFor(1_999);
  expect(attempts.length).toBe(2);
  isBlocked = false;
  await page.clock.runFor(1);
  await expect(badge(page)).toContainText("4.5");
  expect(await received(page)).toEqual(Array.from({ length: 60 }, (_, n) => n));
  await page.evaluate(() => {
    const { kept, record } = window as unknown as { kept: (command: unknown) => void; record: (n: number) => unknown };
    kept(record(60));
  });
  expect((await received(page)).slice(59)).toEqual([59, 60]);
  // Browsers can remember that a URL couldn't be loaded.
  expect(new Set(attempts).size).toBe(3);
  expect(attempts.length).toBe(3);
  expect(warnings.length).toBe(2);
  // Only the browser's own messages: no failure is unhandled.
  for (const error of consoleErrors.splice(0))
    expect(error).toMatch(/^Failed to load resource: .*(net::ERR_FAILED|503)/);
});

test("a failure of the script for them is a warning, and isn't tried again", async ({ page }) => {
  const warnings: string[] = [];
  let attempts = 0;
  await page.route("**/compat.js*", (route) => {
    attempts += 1;
    return route.fulfill({
      contentType: "text/javascript",
      headers: { "access-control-allow-origin": "*" },
      body: 'export const start = () => { throw new Error("broken"); };',
    });
  });
  page.on("console", (message) => message.text().startsWith("candor: ") && warnings.push(message.text()));
  await page.clock.install({ time: 0 });
  const address = shop.addPage("broken", { head: script(ID), body: `<div id="testfreaks-badge"></div>` });
  await openShopPage(page, address);
  await expect.poll(() => warnings).toEqual([expect.stringContaining("broken")]);
  await push(page, ["load", "badge"]);
  await page.clock.runFor(600_000);
  expect([attempts, warnings.length]).toEqual([1, 1]);
});

test("of several ids, the form and structured data are about the one that is shown", async ({ page }) => {
  const address = shop.addPage("alternatives", {
    head: script(ID),
    script: `
      testFreaks = window.testFreaks || [];
      testFreaks.push(["setAggregateRatingSchema"], ["setProductId", ["NOBODY-HAS", "SHADE"]], ["load", "reviews"]);`,
    body: `<div id="testfreaks-reviews"></div>`,
    hasStructuredData: true,
  });
  await openShopPage(page, address);
  await expect(reviews(page).getByRole("article")).toHaveText(/Rated 2\./);
  await expect.poll(() => structuredSkus(page)).toEqual(["SHADE"]);
  const form = page.waitForRequest(/\/form\.json/);
  await reviews(page).getByRole("button", { name: "Write a review" }).click();
  expect(new URL((await form).url()).searchParams.get("key")).toBe("SHADE");
  await expect(page.getByRole("dialog").getByRole("radio", { name: /^3 stars/ })).toBeAttached();
});

test("families are shown too, and can be several", async ({ page }) => {
  const address = shop.addPage("families", {
    head: script(DEMO),
    script: `
      testFreaks = window.testFreaks || [];
      testFreaks.push(["setFamilyId", "FF-LAMP"], ["load", "badge"]);
      testFreaks.push(["popup.setFamilyId", ["NO-FAMILY", "FF-LAMP"]], ["popup.load", ["badge", "reviews"]]);`,
    body: `<div id="testfreaks-badge"></div><div id="testfreaks-badge-popup"></div><div id="testfreaks-reviews-popup"></div>`,
  });
  const { requestedUrls } = await openShopPage(page, address);
  await expect(badge(page)).toContainText(/\d reviews/);
  await expect(page.locator("#testfreaks-badge-popup")).toContainText(/\d reviews/);
  const queries = requestedUrls
    .map((url) => new URL(url))
    .filter(({ pathname }) => pathname.endsWith("/reviews.json"))
    .map(({ searchParams }) => [...searchParams].map((pair) => pair.join("=")));
  expect(queries).toEqual(expect.arrayContaining([["url_key=FF-LAMP"], ["url_key=NO-FAMILY", "url_keys[]=FF-LAMP"]]));
  const form = page.waitForRequest(/\/form\.json/);
  await page.locator("#testfreaks-reviews-popup").getByRole("button", { name: "Write a review" }).click();
  expect(new URL((await form).url()).searchParams.get("url_key")).toBe("FF-LAMP");
});

test("a context has its own callbacks, and otherwise the page's", async ({ page }) => {
  const address = shop.addPage("callbacks", {
    head: script(ID),
    script: `
      window.received = [];
      const named = (prefix, names) => Object.fromEntries(
        names.map((name) => [name, (data) => received.push([prefix + name, data.your_review_count])]));
      testFreaks = window.testFreaks || [];
      testFreaks.push(["setOptions", named("", ["onData", "onReviews", "onNoReviews", "onQA", "onNoQA"])]);
      testFreaks.push(["popup.setOptions", named("popup.", ["onReviews", "onNoReviews"])]);
      testFreaks.push(["popup.setProductId", "SHADE"], ["popup.load", ["badge", "qa"]]);`,
    body: `<div id="testfreaks-badge-popup"></div>`,
  });
  await openShopPage(page, address);
  await expect
    .poll(() => received(page))
    .toEqual([
      ["onData", 1],
      ["popup.onReviews", 1],
      ["onNoQA", 1],
    ]);
  await push(page, ["popup.setProductId", "NOBODY-HAS"], ["popup.load", ["badge"]]);
  await expect
    .poll(async () => (await received(page)).slice(3))
    .toEqual([
      ["onData", 0],
      ["popup.onNoReviews", 0],
    ]);
});

test("a page can use both interfaces", async ({ page }) => {
  const address = shop.addPage("both", {
    head: script(ID),
    script: `
      candor = window.candor || [];
      candor.push(["setProductId", "${PRODUCT}"], ["load", ["badge"]]);
      testFreaks = window.testFreaks || [];
      testFreaks.push(["setProductId", "SHADE"], ["load", ["badge"]]);`,
    body: `<div id="candor-badge"></div><div id="testfreaks-badge"></div>`,
  });
  await openShopPage(page, address);
  await expect(page.locator("#candor-badge")).toContainText("4.5");
  await expect(badge(page)).toContainText("2.0");
  await push(page, ["reset"]);
  await expect(badge(page)).toHaveText("");
  await expect(page.locator("#candor-badge")).toContainText("4.5");
});

test("a page can use the queue's name for something else, and push anything", async ({ page }) => {
  const address = shop.addPage("other-name", {
    script: `testFreaks = { own: "kept" };`,
    body: `
      <div id="testfreaks-badge" data-product-id="SHADE"></div><div id="testfreaks-badge-last"></div>
      ${script(ID, undefined, "")}`,
  });
  const hints: string[] = [];
  page.on("console", (message) => message.text().startsWith("candor: ") && hints.push(message.text()));
  await openShopPage(page, address);
  await expect(badge(page)).toContainText("2.0");
  expect(await page.evaluate(() => (window as unknown as { testFreaks: { own: string } }).testFreaks.own)).toBe("kept");
  // The console isn't filled by a page that is open for long.
  await push(
    page,
    ...Array.from({ length: 200 }, (_, n) => [`wrong${n}`]),
    ["last.setProductId", PRODUCT],
    ["last.load"],
  );
  await expect(page.locator("#testfreaks-badge-last")).toContainText("4.5");
  expect(hints).toContain("candor: there is no command wrong0");
  expect(hints.length).toBeLessThanOrEqual(50);
});
