import type { Page } from "@playwright/test";
import { admin, axe, createPerson, expect, holdScripts, type Login, openAs, test, uniqueName } from "./fixtures";

// Assignments, internal notes and translation in the queue.

const shop = `${uniqueName("teamwork")}.example`;
let ada: Login;
let mia: Login;

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", shop);
  const common = { client_id: shop, api_key: public_key, product_id: "P-1", product_name: "Oak lamp" };
  for (const content of [
    "The first to come.",
    "The second to come.",
    "Lampan är mycket fin och lyser starkt på kvällen.",
  ])
    expect(
      (await request.post("/collect/reviews", { data: { ...common, author: "Ann", score: 3, content } })).status(),
    ).toBe(201);
  await request.dispose();
  ada = await createPerson("teamwork-ada", "moderator", shop);
  mia = await createPerson("teamwork-mia", "moderator", shop);
});

test("focus is never lost in notes, and keys work after the last one is deleted", async ({ page }) => {
  await openAs(page, ada, "/portal/queue");
  const article = page.getByRole("article");
  await page
    .getByRole("list", { name: "Queue" })
    .getByRole("link", { name: /The second/ })
    .click();
  await expect(article).toContainText("The second to come.");
  await page.waitForLoadState("networkidle");
  const add = page.getByRole("button", { name: "Add note" });
  // Canceled while it is loading.
  const release = await holdScripts(page);
  await page.keyboard.press("w");
  await expect(add).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(add).toBeFocused();
  await release();
  await expect(add).toBeFocused();
  await page.keyboard.press("w");
  await expect(page.getByRole("textbox", { name: "Add note" })).toBeFocused();
  await page.keyboard.type("To be deleted");
  // By the button, not the shortcut.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const notes = page.getByRole("region", { name: "Internal notes" });
  await expect(notes).toContainText("To be deleted");
  await expect(add).toBeFocused();
  await notes.getByRole("button", { name: "Delete note" }).click();
  await expect(notes.getByRole("button", { name: "Delete note" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("To be deleted")).toHaveCount(0);
  await expect(add).toBeFocused();
  const box = page.getByRole("textbox", { name: "Add note" });
  await page.keyboard.press("w");
  await expect(box).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(add).toBeFocused();

  // What is written while a note is being saved stays in the box.
  let respond = () => {};
  const hold = new Promise<void>((done) => {
    respond = done;
  });
  await page.route(/\/notes\?/, async (route) => {
    await hold;
    await route.continue();
  });
  await page.keyboard.press("w");
  await page.keyboard.type("The first.");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("button", { name: "Add note" })).toBeDisabled();
  await page.keyboard.type(" The next.");
  respond();
  await expect(notes.getByText("The first.")).toBeVisible();
  await expect(box).toHaveValue("The next.");
  await expect(box).toBeFocused();

  // With a box open, the focus goes there when a note is deleted or kept.
  const remove = notes.getByRole("button", { name: "Delete note" });
  await remove.click();
  await notes.getByRole("listitem").getByRole("button", { name: "Cancel" }).press("Enter");
  await expect(box).toBeFocused();
  await remove.click();
  await expect(remove).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(notes.getByText("The first.")).toHaveCount(0);
  await expect(box).toBeFocused();
  await expect(box).toHaveValue("The next.");
});

test("an item is assigned by key, and a colleague is mentioned by keyboard", async ({ page }) => {
  await openAs(page, ada, "/portal/queue");
  const article = page.getByRole("article");
  await expect(article).toContainText("The first to come.");
  await page.waitForLoadState("networkidle");
  const extra: string[] = [];
  page.on("request", (request) => {
    if (/colleagues|notes|assignment|translation/.test(new URL(request.url()).pathname)) extra.push(request.url());
  });
  // Moving between items costs nothing more.
  await page.keyboard.press("j");
  await expect(article).toContainText("The second to come.");
  await page.keyboard.press("k");
  await expect(article).toContainText("The first to come.");
  expect(extra).toEqual([]);

  const row = page.getByRole("list", { name: "Queue" }).getByRole("listitem").first();
  await page.keyboard.press("i");
  await expect(article.getByRole("button", { name: `Assigned to ${ada.username}` })).toBeVisible();
  await expect(row).toContainText(`Assigned to ${ada.username}`);
  await page.keyboard.press("i");
  await expect(article.getByRole("button", { name: "Assign", exact: true })).toBeVisible();
  await page.keyboard.press("i");
  await expect(article.getByRole("button", { name: `Assigned to ${ada.username}` })).toBeVisible();

  // Undoing a decision restores the assignment.
  await page.keyboard.press("a");
  await expect(article).toContainText("The second to come.");
  const stored = page.waitForResponse((response) => response.request().postData()?.includes('"undo":true') ?? false);
  await page.keyboard.press("u");
  await expect(article).toContainText("The first to come.");
  await expect(article.getByRole("button", { name: `Assigned to ${ada.username}` })).toBeVisible();
  await stored;
  await page.reload();
  await expect(article.getByRole("button", { name: `Assigned to ${ada.username}` })).toBeVisible();
  await page.waitForLoadState("networkidle");

  await page.keyboard.press("w");
  const box = page.getByRole("textbox", { name: "Add note" });
  await expect(box).toBeFocused();
  await page.keyboard.type("Please look, @teamwork");
  const people = page.getByRole("listbox", { name: "People to mention" });
  await expect(people.getByRole("option")).toHaveText([ada.username, mia.username]);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await expect(people.getByRole("option", { name: mia.username })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(box).toHaveValue(`Please look, @${mia.username} `);
  await expect(people).toHaveCount(0);
  await page.keyboard.type("before Friday");
  await page.keyboard.press("Control+Enter");
  const notes = page.getByRole("region", { name: "Internal notes" });
  await expect(notes).toContainText(`Please look, @${mia.username} before Friday`);
  await expect(notes.getByText(`@${mia.username}`, { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Add note" })).toBeFocused();
  expect((await axe(page).analyze()).violations).toEqual([]);
  // Keys work again, and a started note is kept for its item.
  await page.keyboard.press("w");
  await page.keyboard.type("To be continued");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await expect(article).toContainText("The second to come.");
  await expect(page.getByText("Please look")).toHaveCount(0);
  await page.keyboard.press("k");
  await expect(page.getByRole("textbox", { name: "Add note" })).toHaveValue("To be continued");
  await expect(page.getByRole("textbox", { name: "Add note" })).not.toBeFocused();
  await page.keyboard.press("w");
  await expect(page.getByRole("textbox", { name: "Add note" })).toBeFocused();
  await page.keyboard.type(", by us");
  await expect(page.getByRole("textbox", { name: "Add note" })).toHaveValue("To be continued, by us");
});

test("a colleague sees who has an item, filters by it, and takes it over on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openAs(page, mia, "/portal/queue");
  const article = page.getByRole("article");
  await expect(article).toContainText("The first to come.");
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("i");
  await expect(page.getByRole("status").filter({ hasText: `Already assigned to ${ada.username}.` })).toBeVisible();
  const assignment = article.getByRole("button", { name: /^Assigned to/ });
  await assignment.click();
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem", { name: ada.username })).toBeVisible();
  // An open menu is outside of the landmarks.
  expect((await axe(page).disableRules("region").analyze()).violations).toEqual([]);
  await menu.getByRole("menuitem", { name: "Assign to me" }).click();
  await expect(assignment).toHaveText(`Assigned to ${mia.username}`);
  const notes = page.getByRole("region", { name: "Internal notes" });
  await expect(notes).toContainText(`Please look, @${mia.username}`);
  // Another person's note can't be changed.
  await expect(notes.getByRole("button")).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await page.getByRole("button", { name: "Filters" }).click();
  const filter = page.getByRole("combobox", { name: "Assignment" });
  await filter.selectOption("Unassigned");
  await expect(article).toContainText("The second to come.");
  await filter.selectOption("Assigned to me");
  await expect(article).toContainText("The first to come.");
  await expect(page).toHaveURL(/assigned=me/);

  // The same by keyboard, as a view with its count.
  await page.goto("/portal/queue");
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Views" }).press("Enter");
  const mine = menu.getByRole("menuitem", { name: "Assigned to me" });
  await expect(mine).toHaveText("Assigned to me1");
  // The menu moves the focus after a key has been handled.
  await page.keyboard.press("End");
  await expect(menu.getByRole("menuitem").last()).toBeFocused();
  await page.keyboard.press("Home");
  await expect(menu.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(mine).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/assigned=me/);
  await expect(article).toContainText("The first to come.");
  await expect(menu).toHaveCount(0);
});

test("an undo shows who has the item now, also if somebody took it meanwhile", async ({ page, browser }) => {
  const openSecond = async (on: Page, person: Login) => {
    await openAs(on, person, "/portal/queue");
    const row = on.getByRole("list", { name: "Queue" }).getByRole("listitem").filter({ hasText: "The second" });
    await row.getByRole("link").click();
    await expect(on.getByRole("article")).toContainText("The second to come.");
    await on.waitForLoadState("networkidle");
    return row;
  };
  const row = await openSecond(page, ada);
  const colleague = await browser.newPage();
  const taken = await openSecond(colleague, mia);
  await colleague.keyboard.press("i");
  await expect(taken).toContainText(`Assigned to ${mia.username}`);
  await colleague.context().close();
  await expect(row).not.toContainText("Assigned to");
  await page.keyboard.press("a");
  await expect(row).toHaveCount(0);
  await page.keyboard.press("u");
  await expect(row).toContainText(`Assigned to ${mia.username}`);
});

test("an item is translated beside its text if the browser can", async ({ page }) => {
  // The test's browser may have a translator of its own, but not its languages.
  await page.addInitScript(() => {
    delete (globalThis as { Translator?: unknown }).Translator;
  });
  await openAs(page, ada, "/portal/queue");
  const article = page.getByRole("article");
  const open = async () => {
    await page
      .getByRole("list", { name: "Queue" })
      .getByRole("link", { name: /Lampan/ })
      .click();
    await expect(article).toContainText("Lampan är mycket fin");
  };
  await open();
  await expect(article.getByRole("button", { name: "Translate" })).toHaveCount(0);
  await page.addInitScript(() => {
    let failed = false;
    const translate = async (text: string) => {
      if (!failed) {
        failed = true;
        throw new Error("The model crashed.");
      }
      return `In English: ${text}`;
    };
    Object.assign(globalThis, {
      Translator: { availability: async () => "available", create: async () => ({ translate, destroy: () => {} }) },
    });
  });
  await page.reload();
  await open();
  await article.getByRole("button", { name: "Translate" }).click();
  const translation = article.getByRole("region", { name: "Translation" });
  await expect(translation.getByRole("alert")).toContainText("Couldn’t translate this.");
  await translation.getByRole("button", { name: "Try again" }).click();
  await expect(translation).toContainText("In English: Lampan är mycket fin");
  await expect(translation).toContainText("Translated by your browser");
  expect((await axe(page).analyze()).violations).toEqual([]);
  await article.getByRole("button", { name: "Hide translation" }).click();
  await expect(translation).toHaveCount(0);
});
