import type { APIRequestContext, Page } from "@playwright/test";
import { photograph } from "@/lib/tools/test/pictures";
import { openShopPage as openPage, startExternalShop } from "./external-shop";
import { admin, axe, expect, test, uniqueName } from "./fixtures";

// The widget in a page of another origin, whose policy allows only this service.

// A client per worker: a failed worker is followed by another.
const ID = `${uniqueName("widget")}.example`;
const PRODUCT = "LAMP/1 é";
const service = () => process.env.E2E_URL ?? "";
const attack = `<img src=x onerror="window.ran=1"><script>window.ran=1</script>`;

let shop: Awaited<ReturnType<typeof startExternalShop>>;
let api: APIRequestContext;
let headers: Record<string, string>;

test.beforeAll(async ({ playwright }) => {
  api = await playwright.request.newContext({ baseURL: service() });
  shop = await startExternalShop(service());
  const { public_key } = await admin<{ public_key: string }>(
    "client",
    "create",
    "--id",
    ID,
    "--set",
    "display_name=Lanterna & Co",
    "--set",
    "must_agree_to_terms_web=true",
    "--set",
    'config={"terms_url":"https://lanterna.example/terms","accent_color":"#2f6b5b"}',
  );
  headers = { Authorization: `Bearer ${(await admin<{ secret: string }>("key", "create", "--client", ID)).secret}` };
  const upload = await api.post("/uploader", {
    multipart: {
      client_id: ID,
      api_key: public_key,
      file: { name: "a.jpg", mimeType: "image/jpeg", buffer: await photograph(800, 600).jpeg().toBuffer() },
    },
  });
  const image = await upload.json();
  const post = async (review: object) => {
    const item = { id: PRODUCT, family_id: "LAMP" };
    const answer = await api.post("/v1/reviews", {
      headers,
      data: { review: { accepted: true, order: { item }, ...review } },
    });
    expect(answer.status(), await answer.text()).toBe(201);
  };
  for (let n = 1; n <= 20; n += 1)
    await post({
      author: `Author ${n}`,
      score: n % 4 === 0 ? 2 : 5,
      date: `2026-03-${String(n).padStart(2, "0")}`,
      extract: `Review number ${n}. ${n === 19 ? "It is a lamp for long evenings. ".repeat(60) : ""}`,
      lang: n % 2 ? "en" : "de",
    });
  await post({ author: attack, score: 4, extract: attack, pros: [attack], title: attack, images: [image] });
});
test.afterAll(() => shop.close());

const shopUrl = (lang = "en", key = PRODUCT) =>
  `${shop.origin}/?client=${ID}&key=${encodeURIComponent(key)}&lang=${lang}`;

const openShopPage = (page: Page, address = shopUrl()) => openPage(page, address);
const reviews = (page: Page) => page.locator("#candor-reviews").getByRole("article");
const reviewsSection = (page: Page) => page.locator("#candor-reviews");

test("shows badge, stars and reviews under a strict policy, without layout shift or third-party requests", async ({
  page,
}) => {
  const { requestedUrls, layoutShift } = await openShopPage(page);
  await expect(page.locator("#candor-badge")).toContainText("4.2");
  await expect(page.locator("#candor-badge")).toContainText("21 reviews");
  await expect(page.locator("[data-candor=stars]")).toContainText("(21)");
  await expect(reviews(page)).toHaveCount(8);
  await page.getByRole("button", { name: "21 reviews" }).click();
  await expect(reviewsSection(page).getByRole("heading", { name: "Customer reviews" })).toBeInViewport();
  await expect(reviewsSection(page).getByRole("link", { name: "How we handle reviews" })).toHaveAttribute(
    "href",
    `${service()}/honesty/${ID}?lang=en`,
  );
  // Markup in reviews shows as text and doesn't run.
  await expect(reviews(page).first()).toContainText(attack);
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
  // Scrolls to the end of the page, so that everything was visible once.
  await page.getByText("Imprint").scrollIntoViewIfNeeded();
  expect(await layoutShift()).toBe(0);
  for (const url of requestedUrls) expect([shop.origin, service()]).toContain(new URL(url).origin);
  // Only pages made for a hosted service load what honors their markup.
  expect(requestedUrls.filter((url) => url.includes("compat.js"))).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.goto(`${shopUrl()}&structured_data`);
  const data = JSON.parse((await page.locator("script[type='application/ld+json']").textContent()) ?? "");
  expect(data).toMatchObject({ "@type": "Product", aggregateRating: { reviewCount: 21, ratingValue: 4.24 } });
});

test("structured data of the previous product is removed", async ({ page }) => {
  await openShopPage(page, `${shopUrl()}&structured_data`);
  const data = page.locator("script[type='application/ld+json']");
  await expect(data).toHaveCount(1);
  const load = (key: string, ...before: unknown[]) =>
    page.evaluate(
      (commands) => (window as unknown as { candor: unknown[] }).candor.push(...commands),
      [...before, ["setProductId", key], ["load", ["structured_data"]]],
    );
  await load(PRODUCT, ["reset"]);
  await expect(data).toHaveCount(1);
  const answered = page.waitForResponse(/product\.jsonld/);
  await load("NOBODY-HAS");
  expect((await answered).status()).toBe(204);
  await expect(data).toHaveCount(0);
});

test("content that arrives while the end is visible doesn't shift the page", async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 1400 });
  const { layoutShift } = await openShopPage(page);
  const all = reviewsSection(page).getByRole("button", { name: "Show all" });
  await expect(all).toBeVisible();
  await page.waitForTimeout(300);
  expect(await layoutShift()).toBe(0);
  // Scrolling to a clipped review must not scroll inside the clipped container, which would jump back on a click.
  const last = reviews(page).last().getByRole("button", { name: "Yes" });
  await last.evaluate((button) => button.scrollIntoView({ block: "center" }));
  expect(
    await reviewsSection(page)
      .locator("section")
      .evaluate((section) => section.scrollTop),
  ).toBe(0);
  await all.click();
  await expect(all).toHaveCount(0);
  await expect(reviews(page).nth(7)).toBeVisible();
});

test("filters by stars, language and photos, sorts, and pages to the end", async ({ page }) => {
  await openShopPage(page);
  await reviewsSection(page).getByRole("button", { name: "2 stars: 5 reviews" }).click();
  await expect(reviews(page)).toHaveCount(5);
  await expect(reviews(page).first()).toContainText("Review number 20.");
  await reviewsSection(page).getByLabel("Language").selectOption("en");
  await expect(reviewsSection(page)).toContainText("No reviews match these filters.");
  await reviewsSection(page).getByRole("button", { name: "Clear filters" }).click();
  await expect(reviews(page)).toHaveCount(8);
  await expect(reviewsSection(page).getByLabel("Language")).toHaveValue("");
  // The button is gone, and the focus is on the first review.
  await expect(reviewsSection(page).locator(".list > li").first()).toBeFocused();
  await reviewsSection(page).getByRole("button", { name: "With photos" }).click();
  await expect(reviews(page)).toHaveCount(1);
  await reviewsSection(page).getByRole("button", { name: "With photos" }).click();
  await reviewsSection(page).getByLabel("Sort by").selectOption("lowest");
  await expect(reviews(page).first()).toContainText("Review number 20.");
  const more = reviewsSection(page).getByRole("button", { name: "Show more reviews" });
  await more.click();
  await expect(reviews(page)).toHaveCount(16);
  await more.click();
  await expect(reviews(page)).toHaveCount(21);
  await expect(more).toBeHidden();
  const long = reviews(page).filter({ hasText: "Review number 19." });
  const text = long.locator(".text");
  const before = (await text.boundingBox())?.height ?? 0;
  await long.getByRole("button", { name: "Read more" }).click();
  expect((await text.boundingBox())?.height).toBeGreaterThan(before * 1.5);
});

test("stops after five empty pages, retries after a failure, and cleans up", async ({ page, consoleErrors }) => {
  await openShopPage(page);
  await expect(reviews(page)).toHaveCount(8);
  const candor = (...commands: unknown[]) =>
    page.evaluate((given) => (window as unknown as { candor: unknown[] }).candor.push(...given), commands);

  // A rare filter: the server returns pages without a review, with the URL of the next one.
  let pages = 0;
  await page.route(/list\.json.*lang=de/, async (route) => {
    pages += 1;
    const next_page_url = `${route.request().url().split("&after")[0]}&after=${pages}`;
    await route.fulfill({ json: { reviews: [], next_page_url }, headers: { "access-control-allow-origin": "*" } });
  });
  await reviewsSection(page).getByLabel("Language").selectOption("de");
  const more = reviewsSection(page).getByRole("button", { name: "Show more reviews" });
  await expect(reviewsSection(page).getByRole("list").last()).toHaveAttribute("aria-busy", "false");
  await expect(reviews(page)).toHaveCount(0);
  await expect(more).toBeVisible();
  await expect(reviewsSection(page)).not.toContainText("No reviews match these filters.");
  expect(pages).toBe(5);

  // Listings may contain any number of ids of any length: no URL exceeds what servers accept.
  const requestedUrls: string[] = [];
  page.on("request", (request) => void (request.url().includes("ratings.json") && requestedUrls.push(request.url())));
  await page.evaluate((product) => {
    for (let n = 0; n < 120; n += 1) {
      const place = document.createElement("span");
      Object.assign(place.dataset, { candor: "stars", productId: n === 119 ? product : `${"é".repeat(200)}${n}` });
      document.querySelector("footer")?.append(place);
    }
  }, PRODUCT);
  await candor(["load", ["stars"]]);
  await expect(page.locator("footer [data-candor=stars]").last()).toContainText("(21)");
  await expect.poll(() => requestedUrls.length).toBeGreaterThan(20);
  expect(Math.max(...requestedUrls.map(({ length }) => length))).toBeLessThan(8_000);

  // A dialog opened by command removes everything it added to the page.
  const countBodyChildren = () => page.locator("body > *").count();
  const before = await countBodyChildren();
  await candor(["write"]);
  await expect(page.getByRole("dialog").getByRole("button", { name: "Submit" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect.poll(countBodyChildren).toBe(before);

  // A summary that couldn't be fetched is requested again when needed next.
  let broken = true;
  await page.route(/\/reviews\.json/, (route) => (broken ? route.abort() : route.continue()));
  await candor(["reset"], ["setProductId", PRODUCT], ["load", ["badge"]]);
  await expect.poll(() => consoleErrors.length).toBeGreaterThan(0);
  broken = false;
  await candor(["load", ["badge"]]);
  await expect(page.locator("#candor-badge")).toContainText("21 reviews");
  consoleErrors.splice(0, consoleErrors.length, ...consoleErrors.filter((one) => !one.includes("net::ERR_FAILED")));
});

test("a form that couldn't be loaded is loaded when it is opened again", async ({ page, consoleErrors }) => {
  let isBlocked = true;
  await page.route("**/form.js*", (route) => (isBlocked ? route.abort() : route.continue()));
  await openShopPage(page);
  const write = reviewsSection(page).getByRole("button", { name: "Write a review" });
  await write.click();
  await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
  await page.keyboard.press("Escape");
  isBlocked = false;
  await write.click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Submit" })).toBeVisible();
  for (const error of consoleErrors.splice(0)) expect(error).toContain("net::ERR_FAILED");
});

test("shows photos large, by keyboard too", async ({ page }) => {
  await openShopPage(page);
  await reviewsSection(page)
    .getByRole("button", { name: /^Photo 1 of 1/ })
    .first()
    .click();
  const large = page.getByRole("dialog").getByRole("img", { name: /^Photo 1/ });
  await expect(large).toBeVisible();
  expect(await large.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)).toBe(800);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("counts a vote, its change and its removal, remembers it after a reload, and sends a report", async ({ page }) => {
  const counts = async () => {
    const { data } = await (await api.get("/v1/reviews?limit=1000", { headers })).json();
    const { votes_up, votes_down } = data.find(({ extract }: { extract: string }) => extract.includes("number 18."));
    return [votes_up, votes_down];
  };
  const openExpanded = async () => {
    // A low window, so that the end of the container isn't visible: the list is rendered expanded.
    await page.setViewportSize({ width: 1000, height: 300 });
    await openShopPage(page);
    await expect(reviews(page).filter({ hasText: "Review number 18." })).toBeAttached();
    await page.setViewportSize({ width: 1000, height: 1400 });
    await expect(reviewsSection(page).getByRole("button", { name: "Show all", exact: true })).toHaveCount(0);
  };
  // A value that another script of the page stored under this key isn't a vote.
  await page.addInitScript(() => {
    localStorage.candor ??= '{"voter":7,"votes":"x"}';
  });
  await openExpanded();
  const review = reviews(page).filter({ hasText: "Review number 18." });
  await review.getByRole("button", { name: "Yes" }).click();
  await expect(review.getByRole("button", { name: "Yes · 1" })).toHaveAttribute("aria-pressed", "true");
  await expect.poll(counts).toEqual([1, 0]);
  await review.getByRole("button", { name: "No" }).click();
  await expect.poll(counts).toEqual([0, 1]);
  await openExpanded();
  await review.getByRole("button", { name: "No · 1" }).click();
  await expect.poll(counts).toEqual([0, 0]);
  // Clicked faster than responses arrive, the stored vote is the one shown.
  for (const name of ["Yes", "No", "Yes", "Yes", "No"]) await review.getByRole("button", { name }).click();
  await expect(review.getByRole("button", { name: "No · 1" })).toHaveAttribute("aria-pressed", "true");
  await expect.poll(counts).toEqual([0, 1]);

  await review.getByRole("button", { name: "Report" }).click();
  await review.getByLabel("What’s wrong with this review?").fill("Names a person.");
  await review.getByRole("button", { name: "Submit" }).click();
  await expect(review).toContainText("Thanks for letting us know. Lanterna & Co will take a look.");
});

test("submits a review in German on a phone: errors at their fields, then photo and terms", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openShopPage(page, shopUrl("de"));
  await reviewsSection(page).getByRole("button", { name: "Bewertung schreiben" }).click();
  const form = page.getByRole("dialog");
  await form.getByRole("button", { name: "Bewertung absenden" }).click();
  await expect(form.getByText("Wählen Sie 1 bis 5 Sterne aus")).toBeVisible();
  await expect(form.getByRole("radio", { name: /^1 Stern/ })).toBeFocused();
  // Screen readers announce the error, too.
  await expect(form.getByRole("group").first()).toHaveAccessibleDescription(/Wählen Sie 1 bis 5 Sterne aus/);
  await expect(form.getByRole("checkbox")).toHaveAccessibleDescription(/\w/);
  await form.getByRole("radio", { name: /^4 Sterne/ }).check();
  await form.getByLabel("Ihre Bewertung").fill("Leuchtet schön.\nUnd lange.");
  await form.getByLabel(/^Vorteile/).fill("Warmes Licht\nStandfest");
  await form
    .getByLabel(/^Fotos/)
    .setInputFiles({ name: "b.png", mimeType: "image/png", buffer: await photograph(300, 200).png().toBuffer() });
  await expect(form.getByRole("button", { name: "Foto b.png entfernen" })).not.toHaveAttribute("aria-busy", "true");
  await form.getByLabel(/^Anzeigename/).fill("Grete");
  await form.getByRole("checkbox").check();
  await form.getByRole("button", { name: "Bewertung absenden" }).click();
  await expect(form.getByRole("heading", { name: "Vielen Dank!" })).toBeFocused();
  const { data } = await (await api.get("/v1/reviews?moderation_status=pending", { headers })).json();
  expect(data).toEqual([
    expect.objectContaining({
      author: "Grete",
      score: 4,
      extract: "Leuchtet schön.\nUnd lange.",
      pros: ["Warmes Licht", "Standfest"],
      product_ids: [PRODUCT],
      verified_buyer: false,
    }),
  ]);
  expect(data[0].images).toHaveLength(1);
  await form.getByRole("button", { name: "Schließen" }).last().click();
  await expect(form).toHaveCount(0);
});

test("submits a question", async ({ page }) => {
  await openShopPage(page);
  await page.locator("#candor-questions").getByRole("button", { name: "Ask a question" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Your question", { exact: true }).fill("Does it dim?");
  await form.getByLabel(/^Display name/).fill("Bo");
  await form.getByRole("checkbox", { name: /terms/ }).check();
  await form.getByRole("button", { name: "Submit" }).click();
  await expect(form.getByText("We’ve received your question.")).toBeVisible();
  const { data } = await (await api.get("/v1/questions", { headers })).json();
  expect(data).toEqual([expect.objectContaining({ question: "Does it dim?", author: "Bo", accepted: null })]);
});

test("a product without reviews invites the first one, and has no structured data", async ({ page }) => {
  const { layoutShift } = await openShopPage(page, `${shopUrl("fr", "NOBODY-HAS")}&structured_data`);
  await expect(page.locator("#candor-badge")).toContainText("Soyez le premier à écrire un avis");
  await expect(reviewsSection(page)).toContainText("Pas encore d’avis");
  await expect(page.locator("script[type='application/ld+json']")).toHaveCount(0);
  expect(await layoutShift()).toBe(0);
});

test("is accessible in light and dark mode, with forms open", async ({ page }) => {
  const check = async () => {
    const { violations } = await axe(page).include("body").analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
  };
  await openShopPage(page);
  await expect(reviews(page)).toHaveCount(8);
  await check();
  await reviewsSection(page).getByRole("button", { name: "Write a review" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Submit" })).toBeVisible();
  await check();
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("body { background: #14161a; color: #eee; color-scheme: dark } footer { background: #222 }");
    document.adoptedStyleSheets = [sheet];
  });
  await check();
});

test("the demo store has stars in the listing and the whole widget on product pages", async ({ page }) => {
  await page.goto("/demo-shop");
  await expect(page.getByRole("link", { name: /Lambswool throw, oat/ })).toContainText("(2)");
  await expect(page.locator("#candor-seller")).toContainText("Fjord & Fern · 5 reviews");
  await page.getByRole("link", { name: /Hygge reading lamp, brass/ }).click();
  await expect(page.locator("#candor-badge")).toContainText("4.5");
  await expect(reviews(page)).toHaveCount(2);
  await expect(
    reviewsSection(page)
      .getByRole("button", { name: /^Photo 1 of 2/ })
      .first(),
  ).toBeVisible();
  const photo = reviewsSection(page).getByRole("button", { name: /^Photo 1 of 2/ });
  await photo.first().click();
  const large = page.getByRole("dialog");
  const next = large.getByRole("button", { name: "Next photo" });
  await next.press("Enter");
  await expect(large.getByRole("img", { name: /^Photo 2 of 2/ })).toBeVisible();
  await expect(next).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(large.getByRole("img", { name: /^Photo 1 of 2/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator("#candor-questions").getByRole("article")).toHaveCount(2);
  await page.locator("#candor-seller").getByRole("button").click();
  await expect(page.getByRole("dialog").getByRole("article")).toHaveCount(5);
  const { violations } = await axe(page).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
  expect((await page.request.get("/demo-shop/no-such-thing")).status()).toBe(404);
});
