import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { admin, axe, demoLogin, expect, signIn, test, untranslatedKeys } from "./fixtures";
import { createScreenshotData, emptyStore, fullStore, type MailedPaths } from "./screenshot-data";

// npm run screenshots: every page, for review by a person and checked with axe. SCREENSHOTS_VIEWS selects some
// of the views.

const folder = process.env.SCREENSHOTS_DIR ?? path.join(root, ".data/screenshots");

const pages: [name: string, path: string][] = [
  ["home", "/portal"],
  ["queue", "/portal/queue"],
  ["library", "/portal/library"],
  ["library-photos", "/portal/library/photos"],
  ["reviews", "/portal/reviews?status=all"],
  ["seller-reviews", "/portal/seller_reviews?status=all"],
  ["questions", "/portal/questions?status=all"],
  ["photos", "/portal/queue?kind=photo"],
  ["orders", "/portal/orders"],
  ["products", "/portal/products"],
  ["feeds", "/portal/feeds"],
  ["imports", "/portal/imports"],
  ["invitations", "/portal/invitations"],
  ["analytics", "/portal/analytics"],
  ["bias", "/portal/bias"],
  ["setup", "/portal/setup"],
  ["integrations", "/portal/integrations"],
  ["integration-engagement", "/portal/integrations/engagement"],
  ["integration-commerce", "/portal/integrations/commerce"],
  ["integration-share", "/portal/integrations/share"],
  ["connection-commerce", "/portal/integrations/commerce/settings"],
  ["connection-share", "/portal/integrations/share/settings"],
  ["privacy", "/portal/privacy"],
  ["failures", "/portal/failures"],
  ["notifications", "/portal/notifications"],
  ["settings", "/portal/settings"],
  ["settings-forms", "/portal/settings/forms"],
  ["settings-questions", "/portal/settings/questions"],
  ["settings-moderation", "/portal/settings/moderation"],
  ["settings-display", "/portal/settings/display"],
  ["settings-sending", "/portal/settings/sending"],
  ["settings-templates", "/portal/settings/templates"],
  ["settings-rehearsal", "/portal/settings/invitations"],
  ["settings-people", "/portal/settings/people"],
  ["settings-keys", "/portal/settings/keys"],
  ["audit", "/portal/audit"],
  ["account", "/portal/account"],
  ["mailbox", "/portal/mailbox"],
  ["jobs", "/portal/jobs"],
  ["accounts", "/portal/accounts"],
];
/** Pages that need no sign-in. */
const signedOutPages: [name: string, path: string][] = [
  ["sign-in", "/portal/sign-in"],
  ["forgot", "/portal/forgot"],
  ["password-spent", "/portal/password/none"],
  ["review-form", `/reviews/new?client_id=${fullStore}&key=FF-CANDLE-PINE`],
  ["question-form", `/questions/new?client_id=${fullStore}&key=FF-CANDLE-PINE`],
  ["review-form-framed", `/reviews/new?client_id=${fullStore}&key=FF-CANDLE-PINE&noheader=1`],
  ["question-form-framed", `/questions/new?client_id=${fullStore}&key=FF-CANDLE-PINE&noheader=1`],
  ["shop", "/demo-shop"],
  ["shop-product", "/demo-shop/FF-CANDLE-PINE"],
  ["invitation-unknown", "/r/none"],
  ["docs", "/docs"],
  ["docs-moving", "/docs/guides/moving-from-a-hosted-service"],
];

const views = [
  ["wide-light", "light", { width: 1440, height: 900 }],
  ["wide-dark", "dark", { width: 1440, height: 900 }],
  ["phone-light", "light", { width: 390, height: 844 }],
  ["phone-dark", "dark", { width: 390, height: 844 }],
] as const;
/** Views of the pages alone: in German, and with every text doubled, as longer languages have it. */
const languageViews = [
  ["wide-german", "light", { width: 1440, height: 900 }],
  ["phone-german", "light", { width: 390, height: 844 }],
  ["wide-long", "light", { width: 1440, height: 900 }],
  ["phone-long", "light", { width: 390, height: 844 }],
] as const;

const selectedViews = process.env.SCREENSHOTS_VIEWS?.split(",");
let mailedPaths: MailedPaths;

test.beforeAll(async ({ playwright, browser }) => {
  test.setTimeout(300_000);
  mkdirSync(folder, { recursive: true });
  // Created once per server: after a failed screenshot, a new worker reuses it.
  const dataFile = path.join(process.env.E2E_DATA_DIR ?? "", "gallery.json");
  if (existsSync(dataFile)) {
    mailedPaths = JSON.parse(readFileSync(dataFile, "utf8"));
    return;
  }
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  mailedPaths = await createScreenshotData(request, browser);
  writeFileSync(dataFile, JSON.stringify(mailedPaths));
  await request.dispose();
});

/** Doubles the length of every text and placeholder. The page must not scroll sideways. */
async function doubleTexts(page: Page, name: string): Promise<void> {
  await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      if (/\p{L}/u.test(node.nodeValue ?? "") && !node.parentElement?.closest("script, style, textarea"))
        node.nodeValue = `${node.nodeValue} ${node.nodeValue}`;
    for (const input of document.querySelectorAll<HTMLInputElement>("[placeholder]"))
      input.placeholder += ` ${input.placeholder}`;
  });
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(tooWide, `${name}: pixels beyond the window`).toBeLessThanOrEqual(0);
}

/** Waits until dialogs and menus have faded in. Reduced motion shortens that, but they still begin transparent. */
const waitForAnimations = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const finite = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(finite.filter(({ playState }) => playState === "running").map((each) => each.finished));
  });

/** `disabledAxeRules`: axe rules that don't apply to this page. */
async function takeScreenshot(page: Page, name: string, disabledAxeRules: string[] = []): Promise<void> {
  const isLong = name.endsWith("-long");
  if (isLong && !name.startsWith("docs.")) await doubleTexts(page, name);
  // A page that scrolls inside is captured in full, up to the maximum height of a screenshot.
  const viewport = page.viewportSize();
  const height = await page.evaluate(() => document.querySelector("main")?.scrollHeight ?? 0);
  const isTall = viewport !== null && viewport.width > 1_000 && height > viewport.height && !name.startsWith("queue");
  if (isTall) await page.setViewportSize({ width: viewport.width, height: Math.min(height, 5_000) });
  await waitForAnimations(page);
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
  if (isTall) await page.setViewportSize(viewport);
  expect.soft(await untranslatedKeys(page), name).toEqual([]);
  if (isLong) return; // axe would compare doubled texts with labels
  // Accessibility issues aren't visible in a screenshot. axe would wait for a sandboxed frame until its timeout.
  const { violations } = await axe(page)
    .exclude("iframe[sandbox]")
    .exclude(".scalar-app") // the API reference is another project's, with a <main> of its own
    .disableRules(name.startsWith("docs.") ? ["landmark-no-duplicate-main"] : disabledAxeRules)
    .analyze();
  const issues = violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(" "))]);
  expect.soft(issues, name).toEqual([]);
}

const openPage = (page: Page, address: string) => page.goto(address, { waitUntil: "networkidle" });
const withClient = (address: string, client: string) =>
  `${address}${address.includes("?") ? "&" : "?"}client_id=${client}`;

/** Pages that need no sign-in, of links in emails, and for votes on a review. */
async function takeSignedOutPages(page: Page, view: string): Promise<void> {
  const list = await page.request.get(`/onpage/${fullStore}/reviews/list.json?key=FF-LAMP-BRASS`);
  const vote = new URL((await list.json()).reviews[0].feedback_url).pathname;
  const votePages = [
    ["vote", `${vote}?type=up`],
    ["report", `${vote}?type=bad`],
    ["vote-choice", vote],
    ["vote-unknown", "/collect/feedback/none?type=up"],
  ] as const;
  for (const [name, address] of [...signedOutPages, ...Object.entries(mailedPaths), ...votePages]) {
    await openPage(page, address);
    await takeScreenshot(page, `${name}.${view}`);
  }
  await openPage(page, `${vote}?type=up`);
  await page.getByRole("button").click();
  await takeScreenshot(page, `vote.done.${view}`);
}

/** Every page of the portal, of a store with data and of one without. */
async function takePages(page: Page, view: string): Promise<void> {
  for (const [name, address] of pages) {
    await openPage(page, withClient(address, fullStore));
    await takeScreenshot(page, `${name}.full.${view}`);
    await openPage(page, withClient(address, emptyStore));
    await takeScreenshot(page, `${name}.empty.${view}`);
  }
  const detailPages: [name: string, list: string, within: RegExp][] = [
    ["review", "/portal/reviews?status=all", /[?&]item=/],
    ["seller-review", "/portal/seller_reviews?status=all", /[?&]item=/],
    ["question", "/portal/questions?status=all", /[?&]item=/],
    ["product", "/portal/products", /^\/portal\/products\/[^?]+/],
    ["order", "/portal/orders", /^\/portal\/orders\/[^?]+/],
    ["import", "/portal/feeds", /^\/portal\/feeds\/[^?]+/],
    ["mail", "/portal/mailbox", /^\/portal\/mailbox\/[^?]+/],
    ["webhook", "/portal/integrations", /^\/portal\/integrations\/webhooks\/[^?]+/],
  ];
  for (const [name, list, linkPattern] of detailPages) {
    await openPage(page, withClient(list, fullStore));
    const links = await page.locator("main a").evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    const first = links.find((link) => linkPattern.test(link)) ?? "";
    // The full store has one of each: a list without a link would leave its page out unnoticed.
    expect(first, `a ${name} in ${list}`).not.toBe("");
    // Rows of the queue link to the item within the queue; the item's own page is below its list.
    const item = new URL(first, "http://queue").searchParams.get("item");
    await openPage(page, item === null ? first : withClient(`${list.replace(/\?.*/, "")}/${item}`, fullStore));
    await takeScreenshot(page, `${name}.full.${view}`);
  }
}

for (const [view, colorScheme, viewport] of views) {
  if (selectedViews && !selectedViews.includes(view)) continue;
  const wide = viewport.width > 1_000;

  test(`${view}, sign-in pages and forms`, async ({ page, consoleErrors }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await takeSignedOutPages(page, view);
    await openPage(page, `/reviews/new?client_id=${fullStore}&key=FF-CANDLE-PINE`);
    await page.getByRole("button").last().click();
    await takeScreenshot(page, `review-form.issues.${view}`);
    await page.goto("/portal/sign-in");
    await page.getByLabel("Username").fill(demoLogin.username);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("Incorrect username or password.").first()).toBeVisible();
    await takeScreenshot(page, `sign-in.refused.${view}`);
    consoleErrors.splice(0, consoleErrors.length, ...consoleErrors.filter((text) => !/404|410/.test(text)));
  });

  test(`${view}, of mails`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const mails = await admin<{ html: string | null }[]>("mail", "list");
    for (const [name, link] of Object.entries(mailedPaths)) {
      const mail = mails.find(({ html }) => html?.includes(link));
      if (!mail?.html || name === "opt-out") continue; // its link is in the invitation
      await page.setContent(mail.html);
      // Email programs embed it in their own page.
      await takeScreenshot(page, `mailed-${name}.${view}`, ["landmark-one-main", "region"]);
    }
  });

  test(`${view}, of every page, full and empty`, async ({ page, consoleErrors }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await signIn(page, demoLogin);
    await takePages(page, view);
    expect(consoleErrors.splice(0)).toEqual([]);
  });

  test(`${view}, of what opens on a page`, async ({ page, consoleErrors }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await signIn(page, demoLogin);
    await openPage(page, withClient("/portal/queue", fullStore));
    await expect(page.getByRole("article")).toBeVisible();
    await page.keyboard.press("r");
    // Until its script has loaded, the dialog is a placeholder.
    await expect(page.getByRole("dialog").getByRole("button", { name: "Not about the product" })).toBeVisible();
    await takeScreenshot(page, `queue.reasons.${view}`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
    await takeScreenshot(page, `queue.keys.${view}`);
    await page.keyboard.press("Escape");
    if (wide) {
      await page.getByRole("button", { name: "One at a time" }).click();
      await expect(page.getByRole("list", { name: "Queue" })).toBeHidden();
      await takeScreenshot(page, `queue.single.${view}`);
      await page.getByRole("button", { name: "Show list" }).click();
      await page.getByRole("heading", { name: "Queue" }).click();
    }
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await takeScreenshot(page, `queue.bulk.${view}`);
    await page.keyboard.press("Escape");
    if (!wide) {
      await page.getByRole("button", { name: "Back to list" }).click();
      await takeScreenshot(page, `queue.list.${view}`);
      await page.getByRole("button", { name: /Filters/ }).click();
      await takeScreenshot(page, `queue.filters.${view}`);
    }
    await openPage(page, withClient("/portal/queue?words=no+such+words", fullStore));
    await takeScreenshot(page, `queue.nothing.${view}`);
    await openPage(page, withClient("/portal/orders?q=nothing", fullStore));
    await takeScreenshot(page, `orders.nothing.${view}`);
    await openPage(page, withClient("/portal/products?q=nothing", fullStore));
    await takeScreenshot(page, `products.nothing.${view}`);
    await openPage(page, withClient("/portal/privacy", fullStore));
    await page.getByLabel("Search for a person").getByRole("textbox").fill("astrid@customers.example");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("Astrid Nyberg").first()).toBeVisible();
    await takeScreenshot(page, `privacy.person.${view}`);
    await openPage(page, withClient("/portal/analytics?by=brand&period=90d", fullStore));
    await takeScreenshot(page, `analytics.brands.${view}`);
    for (const [name, address, button] of [
      ["settings-people.invite", "/portal/settings/people", "Invite team member"],
      ["settings-keys.new", "/portal/settings/keys", "Create key"],
    ] as const) {
      await openPage(page, withClient(address, fullStore));
      await page.getByRole("button", { name: button }).first().click();
      // Until its script has loaded, the dialog is a placeholder.
      await expect(page.getByRole("dialog").getByRole("heading")).toBeVisible();
      await takeScreenshot(page, `${name}.${view}`);
    }
    if (!wide) {
      await openPage(page, withClient("/portal", fullStore));
      await page.getByRole("button", { name: /menu/i }).click();
      await takeScreenshot(page, `menu.${view}`);
    }
    await openPage(page, withClient("/portal/reviews/none", fullStore));
    await takeScreenshot(page, `not-found.${view}`);
    expect(consoleErrors.splice(0).filter((text) => !/404/.test(text))).toEqual([]);
  });

  test(`${view}, with a failing API`, async ({ page, consoleErrors }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await signIn(page, demoLogin);
    await page.route("**/portal/api/**", (route) => route.abort());
    await openPage(page, withClient("/portal/queue", fullStore));
    // The first list comes with the page.
    await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "Rejected" }).click();
    await expect(page.getByText(/Couldn’t load the queue/)).toBeVisible({ timeout: 30_000 });
    await takeScreenshot(page, `queue.failing.${view}`);
    await openPage(page, withClient("/portal/settings", fullStore));
    await page.getByLabel("Store name").fill("Another name");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/The server can’t be reached/)).toBeVisible();
    await takeScreenshot(page, `settings.failing.${view}`);
    await openPage(page, withClient("/portal/settings/moderation", fullStore));
    await page.getByLabel("Text", { exact: true }).fill("Any text.");
    await page.getByRole("button", { name: "Test rules" }).click();
    await expect(page.getByText(/The server can’t be reached/)).toBeVisible();
    await takeScreenshot(page, `settings-moderation.failing.${view}`);
    await openPage(page, withClient("/portal/settings/templates", fullStore));
    await takeScreenshot(page, `settings-templates.failing.${view}`);
    await openPage(page, withClient("/portal/privacy", fullStore));
    await page.getByLabel("Search for a person").getByRole("textbox").fill("astrid@customers.example");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText(/The server can’t be reached/)).toBeVisible();
    await takeScreenshot(page, `privacy.failing.${view}`);
    // The browser logs the requests that the test aborts.
    expect(consoleErrors.splice(0).filter((text) => !/ERR_FAILED/.test(text))).toEqual([]);
  });
}

for (const [view, colorScheme, viewport] of languageViews) {
  if (selectedViews && !selectedViews.includes(view)) continue;

  test.describe(view, () => {
    if (view.endsWith("german")) test.use({ locale: "de-DE" });

    test(`${view}, pages without sign-in, and every page`, async ({ page, baseURL, consoleErrors }) => {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await takeSignedOutPages(page, view);
      const language = (value: string) =>
        page.context().addCookies([{ name: "candor-language", value, url: baseURL ?? "" }]);
      await language("en"); // signIn expects English labels
      await signIn(page, demoLogin);
      if (view.endsWith("german")) await language("de");
      await takePages(page, view);
      expect(consoleErrors.splice(0).filter((text) => !/404|410/.test(text))).toEqual([]);
    });
  });
}

/** Saves a screenshot to commit: in few colors, so that the file is small. */
const saveReadmeScreenshot = async (page: Page, name: string, fullPage = false): Promise<void> => {
  const file = path.join(root, "public/screenshots", `${name}.png`);
  await sharp(await page.screenshot({ fullPage }))
    .png({ palette: true, effort: 10 })
    .toFile(file);
};

test("the pictures of the READMEs", async ({ page, browser }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await signIn(page, demoLogin);
  await openPage(page, withClient("/portal/queue", fullStore));
  await expect(page.getByRole("article")).toBeVisible();
  await saveReadmeScreenshot(page, "queue");
  const { html } = await admin<{ html: string }>("mail", "preview", "--client", fullStore);
  for (const [name, colorScheme, width] of [
    ["mail", "light", 760],
    ["mail-narrow", "light", 390],
    ["mail-dark", "dark", 760],
  ] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 400 }, deviceScaleFactor: 1.5 });
    const mail = await context.newPage();
    await mail.setContent(html);
    await saveReadmeScreenshot(mail, name, true);
    await context.close();
  }
});

// Must run last: the database doesn't come back.
test("without a database", async ({ page, consoleErrors }) => {
  test.setTimeout(1_200_000); // every page in every view
  await signIn(page, demoLogin);
  const folder = process.env.E2E_DATA_DIR ?? "";
  process.kill(Number.parseInt(readFileSync(path.join(folder, "postgres/postmaster.pid"), "utf8"), 10), "SIGQUIT");
  await expect.poll(async () => (await page.request.get("/api/health")).status()).toBe(503);
  for (const [view, colorScheme, viewport] of views) {
    if (selectedViews && !selectedViews.includes(view)) continue;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [name, address] of [...pages, ...signedOutPages]) {
      await page.goto(withClient(address, fullStore), { waitUntil: "networkidle" });
      await takeScreenshot(page, `${name}.away.${view}`);
    }
  }
  consoleErrors.splice(0);
});
