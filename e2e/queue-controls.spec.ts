import type { Locator } from "@playwright/test";
import { admin, axe, createPerson, expect, holdScripts, type Login, openAs, test, uniqueName } from "./fixtures";

// The queue's controls: dialogs, menus, messages and the single-item view, also while their scripts still load.

const shop = `${uniqueName("controls")}.example`;
let ada: Login;

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", shop);
  const common = { client_id: shop, api_key: public_key, product_id: "P-1", product_name: "Oak lamp" };
  for (const content of ["The first to come.", "The second to come."])
    expect(
      (await request.post("/collect/reviews", { data: { ...common, author: "Ann", score: 3, content } })).status(),
    ).toBe(201);
  await request.dispose();
  ada = await createPerson("controls-ada", "moderator", shop);
});

test("the single-item view stays as chosen in this tab, regardless of other tabs", async ({ page }) => {
  await openAs(page, ada, "/portal/reviews?status=all");
  const list = page.getByRole("list", { name: "Queue" });
  await expect(list).toBeVisible();
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("z");
  await expect(list).toBeHidden();
  await page.context().clearCookies({ name: "candor.single" });
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page).toHaveURL(/item=/);
  await expect(list).toBeHidden();
  await page.getByRole("button", { name: "Show list" }).click();
  await expect(list).toBeVisible();
});

test("dialogs and menus return the focus to what opened them", async ({ page }) => {
  await openAs(page, ada, "/portal/reviews?status=all");
  await expect(page.getByRole("article")).toContainText("The second to come.");
  await page.waitForLoadState("networkidle");
  const keys = page.getByRole("button", { name: /^Shortcuts/ });
  const views = page.getByRole("button", { name: "Views" });
  for (const _ of ["loaded for the first time", "loaded before"]) {
    await keys.click();
    await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect.soft(keys).toBeFocused();

    await views.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menu", { name: "Views" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect.soft(views).toBeFocused();

    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: /^Save view/ }).click();
    await expect(page.getByRole("dialog", { name: "Save view" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect.soft(views).toBeFocused();
  }
});

test("keys act on the item they show, while scripts for the selection still load", async ({ page }) => {
  await openAs(page, ada, "/portal/reviews?status=all");
  await expect(page.getByRole("article")).toContainText("The second to come.");
  await page.waitForLoadState("networkidle");
  const release = await holdScripts(page);
  for (const key of ["x", "j", "x"]) await page.keyboard.press(key);
  await expect(page.getByRole("list", { name: "Queue" }).getByRole("checkbox", { checked: true })).toHaveCount(2);
  await release();
  await expect(page.getByText("2 selected")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("2 selected")).toHaveCount(0);
});

test("Escape closes a dialog the moment that it takes the place of its placeholder", async ({ page }) => {
  await openAs(page, ada, "/portal/reviews?status=all");
  await expect(page.getByRole("article")).toContainText("The second to come.");
  await page.waitForLoadState("networkidle");
  // Before the browser handles any other event.
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector("[role=dialog]")) return;
      observer.disconnect();
      const init = { key: "Escape", bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", init));
      document.body.setAttribute("data-pressed", "");
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.getByRole("button", { name: /^Shortcuts/ }).click();
  await expect(page.locator("body")).toHaveAttribute("data-pressed");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("Escape cancels a menu that is loading, and nothing else", async ({ page }) => {
  await openAs(page, ada, "/portal/reviews?status=all");
  await expect(page.getByRole("article")).toContainText("The second to come.");
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("x");
  await expect(page.getByText("1 selected")).toBeVisible();
  const views = page.getByRole("button", { name: "Views" });
  const release = await holdScripts(page);
  await views.press("Enter");
  await expect(views).toHaveAttribute("aria-busy", "true");
  await expect(views).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(views).not.toHaveAttribute("aria-busy");
  await expect(views).toBeFocused();
  await release();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  await expect(page.getByRole("menu")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(views).toBeFocused();
  await expect(page.getByText("1 selected")).toBeVisible();
  await views.press("ArrowDown");
  await expect(page.getByRole("menu", { name: "Views" })).toBeVisible();
});

test("a dialog can be closed while it loads, and one that fails to load leaves the page as it is", async ({
  page,
  consoleErrors,
}) => {
  await openAs(page, ada, "/portal/reviews?status=all");
  const article = page.getByRole("article");
  await expect(article).toContainText("The second to come.");
  await page.waitForLoadState("networkidle");
  const button = page.getByRole("button", { name: /^Shortcuts/ });
  const window = page.getByRole("dialog");

  const release = await holdScripts(page);
  await button.click();
  await expect(page.getByRole("dialog", { name: "Loading…" }).getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(window).toHaveCount(0);
  await expect(button).toBeFocused();
  await button.click();
  await expect(window).toBeVisible();
  await release();
  await expect(page.getByRole("dialog", { name: "Shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(window).toHaveCount(0);

  const scripts = /\.js(\?|$)/;
  await page.route(scripts, (script) => script.abort());
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(window).toHaveAccessibleName(/^Couldn’t load this/);
  await expect(window.getByRole("button", { name: "Reload page" })).toBeFocused();
  expect((await axe(page).include("dialog").analyze()).violations).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(window).toHaveCount(0);
  await page.getByRole("button", { name: "Views" }).click();
  await expect(window).toHaveAccessibleName(/^Couldn’t load this/);
  await window.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("button", { name: "Views" })).toBeFocused();
  await page.getByRole("list", { name: "Queue" }).getByRole("checkbox").first().click();
  // The actions for selected items need no script of their own.
  await expect(page.getByText("1 selected")).toBeVisible();
  await expect(article).toContainText("The second to come.");
  expect(consoleErrors.splice(0).filter((text) => !/Failed to (?:load|fetch)/.test(text))).toEqual([]);

  await page.unroute(scripts);
  await page.reload();
  await expect(article).toContainText("The second to come.");
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Reject" }).click();
  await expect(page.getByRole("dialog", { name: "Reason for rejection" })).toBeVisible();
});

test("a toast stays its full time, even right after another", async ({ page, request }) => {
  const other = `${uniqueName("messages")}.example`;
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", other);
  for (const content of ["The first to come.", "The second to come."]) {
    const data = { client_id: other, api_key: public_key, product_id: "P-1", product_name: "Lamp", author: "Ann" };
    expect((await request.post("/collect/reviews", { data: { ...data, score: 3, content } })).status()).toBe(201);
  }
  await openAs(page, await createPerson("messages", "moderator", other), "/portal/queue");
  await expect(page.getByRole("article")).toContainText("The first to come.");
  await page.waitForLoadState("networkidle");
  await page.clock.install();
  await page.keyboard.press("a");
  await expect(page.getByText("Approved. 1 left.").first()).toBeVisible();
  await page.clock.fastForward(7_000);
  await page.keyboard.press("a");
  const second = page.getByText("Approved. 0 left.").first();
  await expect(second).toBeVisible();
  await page.clock.fastForward(3_000);
  await expect(page.getByRole("heading", { name: "All caught up" })).toBeVisible();
  await expect(second).toBeVisible();
  await page.clock.fastForward(8_000);
  await expect(second).toBeHidden();
});

test("while another list loads, its placeholder has heading, filters and rows where they will be", async ({ page }) => {
  await openAs(page, ada, "/portal/queue");
  await expect(page.getByRole("article")).toContainText("The first to come.");
  await page.waitForLoadState("networkidle");
  let show = () => {};
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  await page.route(/\/portal\/api\/v1\/queue\?/, async (route) => {
    await shown;
    await route.continue();
  });
  const boxOf = async (locator: Locator) => {
    const box = await locator.boundingBox();
    expect(box).not.toBeNull();
    return box ?? { x: 0, y: 0, width: 0, height: 0 };
  };
  const places = async (row: Locator) => ({
    heading: await boxOf(page.getByRole("heading", { level: 1, name: "Queue" })),
    filters: await boxOf(page.getByRole("navigation", { name: "Status" })),
    row: await boxOf(row),
  });
  await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "All" }).click();
  const loading = page.getByRole("status", { name: "Loading queue" });
  await expect(loading).toBeVisible();
  const before = await places(loading.locator("div", { has: page.locator(".animate-pulse") }).first());
  show();
  const list = page.getByRole("list", { name: "Queue" });
  await expect(list).toBeVisible();
  const after = await places(list.getByRole("listitem").first());
  for (const part of ["heading", "filters", "row"] as const)
    for (const side of ["x", "y", "height"] as const)
      expect(Math.abs(after[part][side] - before[part][side]), `${side} of the ${part}`).toBeLessThanOrEqual(4);
});
