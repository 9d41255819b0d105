import type { Locator, Page } from "@playwright/test";
import { openOverlay } from "@/components/ui/lazy-dialog";
import { admin, createPerson, demoLogin, expect, type Login, openAs, signIn, test, uniqueName } from "./fixtures";

// The main dialogs and menus of the portal on a small phone: nothing is cut off, and every control can be reached.

const shop = `${uniqueName("dialogs")}.example`;
let person: Login;
let reviewId: string;

test.use({ viewport: { width: 390, height: 640 }, hasTouch: true });

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  await admin(
    "client",
    "create",
    "--id",
    shop,
    "--set",
    "display_name=Lanterna",
    "--set",
    `contact_email=help@${shop}`,
  );
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const headers = { Authorization: `Bearer ${secret}` };
  const post = async (path: string, data: object) => {
    const answer = await request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  const customer = { id: "C-1", name: "Ada Berg", email: `ada@${shop}` };
  const items = [1, 2].map((n) => ({ id: `P-${n}`, name: `Oak lamp ${n}`, delivery_date: "2030-01-01" }));
  // Only items without a review can be paused.
  for (const id of ["O-1", "O-2"]) await post("/v1/orders", { order: { id, customer, items } });
  const { photograph } = await import("@/lib/tools/test/pictures");
  const { public_key } = await admin<{ public_key: string }>("client", "show", shop);
  const file = { name: "a.jpg", mimeType: "image/jpeg", buffer: await photograph(800, 600).jpeg().toBuffer() };
  const upload = await request.post("/uploader", { multipart: { client_id: shop, api_key: public_key, file } });
  const image = await upload.json();
  for (const [extract, images] of [
    ["The first to come.", []],
    ["The second to come.", [image]],
  ] as const) {
    const order = { id: "O-1", customer, item: items[images.length] };
    const review = { author: "Ada", score: 2, lang: "en", accepted: null, extract, order, images };
    await post("/v1/reviews", { review });
  }
  const { data } = await (await request.get(`/v1/reviews?client_id=${shop}`, { headers })).json();
  reviewId = data.find((review: { extract: string }) => review.extract.startsWith("The second")).id;
  person = await createPerson("dialogs-admin", "admin", shop);
  await createPerson("dialogs-colleague", "moderator", shop);
  await request.dispose();
});

/** The open dialog or menu, once its script and its content have loaded. */
async function loaded(page: Page): Promise<Locator> {
  const overlay = page.locator(`${openOverlay}:not([data-opening])`).last();
  await expect(overlay).toBeVisible();
  await expect(overlay.locator(".animate-pulse")).toHaveCount(0);
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
  return overlay;
}

/** What is cut off in an overlay, or can't be reached by scrolling inside it. */
const problemsOf = (overlay: Locator) =>
  overlay.evaluate((box) => {
    const problems: string[] = [];
    const [width, height] = [document.documentElement.clientWidth, window.innerHeight];
    const nameOf = (element: Element) =>
      element.getAttribute("aria-label") ??
      (element.textContent?.trim().slice(0, 40) || element.outerHTML.slice(0, 80));
    const { left, right, top, bottom } = box.getBoundingClientRect();
    if (left < -1 || right > width + 1 || top < -1 || bottom > height + 1)
      problems.push(`the box is at ${[left, top, right, bottom].map(Math.round)}`);
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowY);
    for (const element of [box, ...box.querySelectorAll("*")]) {
      if (element.clientWidth <= 1) continue; // for screen readers only
      const style = getComputedStyle(element);
      const isClipped =
        style.overflowX !== "visible" && !element.matches(".sr-only, .truncate, input, textarea, svg *");
      if (isClipped && style.overflowX === "hidden" && element.scrollWidth > element.clientWidth + 1)
        problems.push(`${nameOf(element)} is cut off at its side`);
      if (
        scrolls(element) &&
        element.scrollWidth > element.clientWidth + 1 &&
        !element.matches("pre, section, [role=tablist]")
      )
        problems.push(`${nameOf(element)} scrolls sideways`);
    }
    if (box.scrollHeight > box.clientHeight + 1 && !scrolls(box)) problems.push("the box doesn't scroll");
    const controls = box.querySelectorAll<HTMLElement>(
      "a[href], button:not(:disabled), input:not([type=hidden], :disabled), select, textarea, [role=menuitem]",
    );
    for (const control of controls) {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.closest(".sr-only")) continue;
      const target = control.matches("input.sr-only") ? (control.closest("label") ?? control) : control;
      target.scrollIntoView({ block: "center" });
      const at = target.getBoundingClientRect();
      // Of a link that wraps, its first line: the middle of its box may be beside it.
      const line = target.getClientRects()[0] ?? at;
      const [x, y] = [line.left + line.width / 2, line.top + Math.min(line.height / 2, 20)];
      const hit = document.elementFromPoint(x, y);
      if (!hit || !(target.contains(hit) || target.closest("label")?.contains(hit)))
        problems.push(`${nameOf(control)} can't be reached`);
      else if (at.left < -1 || at.right > width + 1) problems.push(`${nameOf(control)} is cut off`);
    }
    box.scrollTo(0, 0);
    return problems;
  });

async function expectFits(page: Page, name: string) {
  const overlay = await loaded(page);
  expect.soft(await problemsOf(overlay), name).toEqual([]);
}

/** Opens an overlay by its button, checks it and closes it. */
async function check(page: Page, button: Locator, name: string) {
  await button.first().click();
  await expectFits(page, name);
  await close(page);
}

async function close(page: Page) {
  await page.keyboard.press("Escape");
  // Also the one that is fading: its fields could be filled instead of those of the next one.
  await expect(page.locator("[role=dialog], [role=menu], [data-opening]")).toHaveCount(0);
}

test("dialogs and menus of the queue", async ({ page }) => {
  test.setTimeout(180_000);
  await openAs(page, person, "/portal/account");
  await page.goto(`/portal/queue?item=${reviewId}`);
  const article = page.getByRole("article");
  await expect(article).toBeVisible();
  await page.waitForLoadState("networkidle");
  await check(page, article.getByRole("button", { name: "Assign" }), "assignment");
  await check(page, page.getByRole("button", { name: /^View photo 1/ }), "photo");
  await page.keyboard.press("r");
  await expect(page.getByRole("dialog").getByRole("button", { name: "Not about the product" })).toBeVisible();
  await expectFits(page, "reasons to reject, with the author's email");
  await close(page);
  await page.keyboard.press("?");
  await expectFits(page, "shortcuts");
  await close(page);
  await check(page, page.getByRole("button", { name: "Menu" }), "navigation");
  await check(page, page.getByRole("button", { name: /^Notifications/ }), "notifications");
  await check(page, page.getByRole("button", { name: /^Search/ }), "search");
  await page.getByRole("button", { name: "Back to list" }).click();
  const views = page.getByRole("button", { name: "Views" });
  await check(page, views, "views");
  await views.click();
  await page.getByRole("menuitem", { name: /^Save view/ }).click();
  await expectFits(page, "save view");
  await close(page);
});

test("dialogs of a review, the library, orders and products", async ({ page }) => {
  test.setTimeout(180_000);
  await openAs(page, person, `/portal/reviews/${reviewId}`);
  await page.waitForLoadState("networkidle");
  await check(page, page.getByRole("button", { name: /^Reject/ }), "reject on its page");
  await page.locator("[data-reply]").click();
  await check(page, page.getByRole("button", { name: "Templates" }), "reply templates");

  await page.goto("/portal/library");
  await page.getByRole("button", { name: "Select all on this page" }).click();
  await check(page, page.getByRole("button", { name: /^Reject/ }), "reject several");

  await page.goto("/portal/orders/O-2");
  const items = page.getByRole("list", { name: "Items" });
  await check(page, items.getByRole("button", { name: /^Pause/ }), "pause an invitation");
  await items
    .getByRole("button", { name: /^Pause/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: /date/ }).click();
  await expectFits(page, "pause until a date");
  await close(page);
  await check(page, page.getByRole("button", { name: "Pause invitations" }), "pause an order");

  await page.goto("/portal/products");
  await check(page, page.getByRole("button", { name: "Import ratings" }), "import ratings");
});

test("dialogs of feeds, imports, integrations and webhooks", async ({ page }) => {
  test.setTimeout(240_000);
  await openAs(page, person, "/portal/feeds");
  await check(page, page.getByRole("button", { name: "Add feed" }), "a feed");
  await check(page, page.getByRole("button", { name: "Upload file" }), "an upload");

  await page.goto("/portal/imports");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Select file" }).click(),
  ]);
  const csv =
    "title,body,rating,review_date,reviewer_name,reviewer_email,product_id,product_handle,reply,picture_urls\n" +
    "Lovely,Bright and good.,5,2026-08-01 10:00:00 UTC,Ann,ann@customers.example,77,oak-lamp,,\n";
  await chooser.setFiles({ name: "judgeme.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.waitForURL(/\/portal\/imports\/imp_/);
  await page.getByRole("button", { name: "Import 1 review" }).click({ timeout: 30_000 });
  await check(page, page.getByRole("button", { name: "Undo import…" }), "undo an import");

  await page.goto("/portal/integrations");
  await page.getByRole("button", { name: "Create webhook" }).first().click();
  await expectFits(page, "a webhook");
  await page.getByRole("dialog").getByLabel("URL").fill("https://shop.example/hook");
  await page.getByRole("dialog").getByRole("button", { name: "Create webhook" }).click();
  await expect(page.getByRole("heading", { name: "Copy your signing secret" })).toBeVisible();
  await expectFits(page, "a signing secret");
  await close(page);
  await page
    .getByRole("link", { name: /shop\.example\/hook/ })
    .first()
    .click();
  const more = page.getByRole("button", { name: "More actions" });
  await check(page, more, "actions of a webhook");
  for (const name of ["Replay a time range", "Rotate signing secret", "Edit", "Remove"]) {
    await more.click();
    await page.getByRole("menuitem", { name }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectFits(page, name);
    await close(page);
  }
});

test("dialogs of settings, templates, people, keys and personal data", async ({ page }) => {
  test.setTimeout(240_000);
  await openAs(page, person, "/portal/settings/people");
  await check(page, page.getByRole("button", { name: "Invite team member" }), "an invitation to the team");
  await check(page, page.getByRole("button", { name: /^Edit/ }), "a person");

  await page.goto("/portal/settings/keys");
  await check(page, page.getByRole("button", { name: "Create key" }), "a key");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("A shop");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("heading", { name: "Copy your API key" })).toBeVisible();
  await expectFits(page, "a secret key");
  await page.goto("/portal/settings/keys");
  await check(page, page.getByRole("button", { name: /^Revoke/ }), "revoke a key");

  await page.goto("/portal/settings/templates");
  await check(page, page.getByRole("button", { name: "Add block" }), "blocks");
  await check(page, page.getByRole("button", { name: /insert placeholder/ }), "placeholders");
  for (const text of ["Dear friend,", "Dear friends,"]) {
    await page.getByRole("textbox", { name: "Greeting content" }).fill(text);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Settings saved.").first()).toBeVisible();
    await expect(page.getByRole("button", { name: /^Sav(e|ing…)$/ })).toBeHidden();
  }
  await page
    .getByRole("button", { name: /^Preview version/ })
    .last()
    .click();
  await expect(page.getByRole("dialog").locator("iframe")).toBeVisible();
  await expectFits(page, "a template's version, to restore");
  await close(page);

  await page.goto("/portal/settings");
  await page.getByLabel("Store name").fill("Another name");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("menuitem", { name: "Orders" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Stay on page" })).toBeVisible();
  await expectFits(page, "unsaved changes");
  await close(page);

  await page.goto("/portal/privacy");
  await page.getByLabel("Search for a person").getByRole("textbox").fill(`ada@${shop}`);
  await page.getByRole("main").getByRole("button", { name: "Search", exact: true }).click();
  await check(page, page.getByRole("button", { name: "Delete all data" }), "delete a person's data");

  await page.goto("/portal/account");
  const setUp = page.getByRole("button", { name: "Set up authenticator app" });
  await check(page, setUp, "a password");
  await setUp.click();
  await page.getByRole("dialog").getByLabel("Your password").fill(person.password);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await expectFits(page, "an authenticator app");
  await close(page);
});

test("dialogs of operators", async ({ page }) => {
  await signIn(page, demoLogin, "/portal/accounts");
  await check(page, page.getByRole("button", { name: /^Create store/ }), "a store");
  await check(page, page.getByRole("button", { name: /Switch store/ }), "stores");
});
