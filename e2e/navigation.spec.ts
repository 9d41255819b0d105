import type { Page } from "@playwright/test";
import {
  admin,
  axe,
  breadcrumbs,
  createPerson,
  expect,
  type Login,
  openAs,
  signIn,
  test,
  uniqueName,
  waitUntilInteractive,
} from "./fixtures";

// Switching between many stores, the way back to lists, and the filters that they keep.

const numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const stores = numbers.map((name) => `${uniqueName(`nav-${name}`)}.example`);
const [first = "", second = "", third = ""] = stores;
let ada: Login;
let bo: Login;

test.beforeAll(async ({ playwright }) => {
  test.setTimeout(90_000);
  for (const [index, id] of stores.entries())
    await admin("client", "create", "--id", id, "--set", `display_name=Shop ${numbers[index]}`);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", first, "--client", second);
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const post = async (client_id: string, id: string, name: string) => {
    const order = {
      id,
      customer: { id: `c-${id}`, name, email: `${id}@mail.example`.toLowerCase() },
      items: [{ id: "CLOCK-1", name: "Silent wall clock" }],
    };
    const answer = await request.post(`/v1/orders?client_id=${client_id}`, {
      data: { order },
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(answer.status(), await answer.text()).toBe(200);
  };
  await post(first, "FF-1030", "Ada Berg");
  await post(first, "FF-1031", "Oskar Lind");
  await post(second, "GG-1", "Kim Holm");
  await request.dispose();
  ada = await createPerson("nav-ada", "admin", ...stores);
  bo = await createPerson("nav-bo", "admin", first, second);
});

const sidebar = (page: Page) => page.getByRole("navigation", { name: "Portal" });
const switcher = (page: Page) => page.getByRole("button", { name: /Switch store$/ });

test("finds one of many stores with the keyboard, and stays on the kind of page", async ({ page }) => {
  await openAs(page, ada, `/portal/orders/FF-1030?client_id=${first}`);
  await expect(page).toHaveTitle("FF-1030 · Orders · Candor");
  await expect(switcher(page)).toHaveAccessibleName("Store: Shop one. Switch store");
  await switcher(page).focus();
  await page.keyboard.press("Enter");
  const menu = page.getByRole("dialog", { name: "Stores" });
  const field = menu.getByRole("combobox", { name: "Find store" });
  await expect(field).toBeFocused();
  await expect(menu.getByRole("option")).toHaveCount(stores.length);
  await expect(menu.getByRole("option", { selected: true })).toContainText("Shop one");
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(switcher(page)).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(field).toBeFocused();
  await page.keyboard.type("shop t");
  await expect(menu.getByRole("option")).toHaveText([/^Shop three/, /^Shop two/]);
  await expect(menu.getByRole("option", { name: /^Shop three/ })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/portal/orders\\?client_id=${second}$`));
  await expect(menu).toBeHidden();
  await expect(page.getByRole("main").getByRole("link", { name: "GG-1" })).toBeVisible();

  // By its id, and by what only the server finds: the middle of a word.
  await switcher(page).click();
  await field.fill("nav-three");
  await expect(menu.getByRole("option")).toHaveText([/^Shop three/]);
  await field.fill("hop thre");
  await expect(menu.getByRole("option")).toHaveText([/^Shop three/]);
  await field.fill("xyzzy");
  await expect(menu.getByRole("status")).toHaveText("No results for “xyzzy”.");
  await switcher(page).click();
  await expect(menu).toBeHidden();
});

test("switches stores on a phone; few stores need no search", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  await openAs(page, ada, `/portal/analytics?client_id=${first}`);
  await switcher(page).click();
  const menu = page.getByRole("dialog", { name: "Stores" });
  await menu.getByRole("combobox").fill("three");
  await menu.getByRole("option", { name: /^Shop three/ }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/analytics\\?client_id=${third}$`));
  // Everything is in the menu, too.
  const pages = page.getByRole("button", { name: "Menu" });
  await pages.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Home", exact: true })).toBeFocused();
  for (const name of ["Home", "Queue", "Reviews", "Orders", "Products", "Feeds", "Analytics", "Settings"])
    await expect(page.getByRole("menuitem", { name, exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(pages).toBeFocused();

  await page.context().clearCookies();
  await openAs(page, bo, `/portal/analytics?client_id=${first}`);
  await switcher(page).click();
  await page.getByRole("menuitem", { name: /^Shop two/ }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/analytics\\?client_id=${second}$`));
});

test("asks before a form is left by switching the store", async ({ page }) => {
  await openAs(page, ada, `/portal/settings?client_id=${first}`);
  await page.getByLabel("Store name").fill("Another name");
  await switcher(page).click();
  await expect(page.getByRole("combobox", { name: "Find store" })).toBeFocused();
  await page.keyboard.type("three");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Stay on page" }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/settings\\?client_id=${first}$`));
  await expect(page.getByLabel("Store name")).toHaveValue("Another name");
  // What was typed for one store isn't in the form of the other.
  await switcher(page).click();
  await page.keyboard.type("three");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Leave page" }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/settings\\?client_id=${third}$`));
  await expect(page.getByLabel("Store name")).toHaveValue("Shop three");
  // Changes of this one aren't discarded without asking either.
  await page.getByLabel("Store name").fill("A third name");
  await sidebar(page).getByRole("link", { name: "Analytics" }).first().click();
  await expect(page.getByRole("button", { name: "Stay on page" })).toBeVisible();
});

test("asks before a form is left by the search, and again if it wasn't left", async ({ page }) => {
  await openAs(page, ada, `/portal/settings?client_id=${first}`);
  await page.getByLabel("Store name").fill("Another name");
  const search = async (words: string) => {
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Search" }).fill(words);
    await page.getByRole("option", { name: words, exact: true }).click();
  };
  await search("Analytics");
  await page.getByRole("button", { name: "Stay on page" }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/settings\\?client_id=${first}$`));
  await expect(page.getByLabel("Store name")).toHaveValue("Another name");
  // The server doesn't answer, so the person stays after all.
  let requests = 0;
  await page.route(`**/portal/analytics?*`, () => {
    requests += 1;
  });
  const leave = async () => {
    const before = requests;
    await search("Analytics");
    await page.getByRole("button", { name: "Leave page" }).click();
    await expect.poll(() => requests).toBeGreaterThan(before);
  };
  const expectQuestion = async () => {
    const question = page.waitForEvent("dialog");
    await Promise.all([question.then((dialog) => dialog.dismiss()), page.close({ runBeforeUnload: true })]);
    expect((await question).type()).toBe("beforeunload");
  };
  await leave();
  await page.getByLabel("Store name").pressSequentially("!");
  await expectQuestion();
  await leave();
  await sidebar(page).getByRole("link", { name: "Orders" }).first().click();
  await page.getByRole("button", { name: "Stay on page" }).click();
  await expectQuestion();
});

test("asks once before a form is left, also if the browser has to load the next page", async ({
  page,
  consoleErrors,
}) => {
  await openAs(page, ada, `/portal/settings?client_id=${first}`);
  await page.getByLabel("Store name").fill("Another name");
  // As after an upgrade: the server doesn't have the data that this page's scripts request.
  await page.route(`**/portal/analytics?*`, (route) =>
    route.request().headers().rsc ? route.abort() : route.continue(),
  );
  page.on("dialog", (dialog) => dialog.dismiss());
  await page.getByRole("link", { name: "Analytics" }).first().click();
  await page.getByRole("button", { name: "Leave page" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Analytics" })).toBeVisible();
  expect(consoleErrors.splice(0).filter((text) => !/ERR_FAILED|Failed to fetch/.test(text))).toEqual([]);
});

test("leads back to a list with its filters, until they are cleared or the person signs out", async ({ page }) => {
  await signIn(page, bo, `/portal/orders?client_id=${first}`);
  const rows = page.getByRole("main").getByRole("link", { name: /^(FF|GG)-/ });
  await expect(rows).toHaveText(["FF-1031", "FF-1030"]);
  await page.getByRole("searchbox").fill("berg");
  await page.keyboard.press("Enter");
  await expect(rows).toHaveText(["FF-1030"]);
  await waitUntilInteractive(page);

  // By the breadcrumb.
  await rows.first().click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("FF-1030");
  await expect(breadcrumbs(page).getByText("FF-1030")).toHaveAttribute("aria-current", "page");
  expect((await axe(page).analyze()).violations).toEqual([]);
  await breadcrumbs(page).getByRole("link", { name: "Orders" }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/orders\\?q=berg&client_id=${first}$`));
  await expect(rows).toHaveText(["FF-1030"]);

  // By the navigation, after other lists; also after a reload.
  await sidebar(page).getByRole("link", { name: "Products" }).click();
  await page.getByRole("navigation", { name: "Product status" }).getByRole("link", { name: "Removed" }).click();
  await expect(page).toHaveURL(/state=deleted/);
  await page.reload();
  await sidebar(page).getByRole("link", { name: "Orders" }).click();
  await expect(page.getByRole("searchbox")).toHaveValue("berg");
  await sidebar(page).getByRole("link", { name: "Products" }).click();
  await expect(page).toHaveURL(/state=deleted/);

  // Another store has its own.
  await switcher(page).click();
  await page.getByRole("menuitem", { name: /^Shop two/ }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/products\\?client_id=${second}$`));
  await sidebar(page).getByRole("link", { name: "Orders" }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/orders\\?client_id=${second}$`));
  await expect(rows).toHaveText(["GG-1"]);

  // An address shows what it says, and is what the list had last.
  await page.goto(`/portal/orders?client_id=${first}&q=lind`);
  await expect(rows).toHaveText(["FF-1031"]);
  await sidebar(page).getByRole("link", { name: "Home" }).click();
  await expect(page).toHaveURL(new RegExp(`/portal\\?client_id=${first}$`));
  await sidebar(page).getByRole("link", { name: "Orders" }).click();
  await expect(rows).toHaveText(["FF-1031"]);

  // The list's own link shows all, and so do later ones.
  await sidebar(page).getByRole("link", { name: "Orders" }).click();
  await expect(rows).toHaveText(["FF-1031", "FF-1030"]);
  await rows.first().click();
  await breadcrumbs(page).getByRole("link", { name: "Orders" }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/orders\\?client_id=${first}$`));

  // Clearing the filters does, too.
  await page.goto(`/portal/library?client_id=${first}&stars=1`);
  await page.getByRole("search").getByRole("link", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/library\\?client_id=${first}$`));
  await sidebar(page).getByRole("link", { name: "Home" }).click();
  await expect(page).toHaveURL(new RegExp(`/portal\\?client_id=${first}$`));
  await sidebar(page).getByRole("link", { name: "Reviews", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/library\\?client_id=${first}$`));

  // Nothing is stored outside this tab, and signing out forgets all.
  await page.goto(`/portal/orders?client_id=${first}&q=berg`);
  const browserStorage = () =>
    page.evaluate(() => [document.cookie, ...Object.values(localStorage), ...Object.values(sessionStorage)].join("\n"));
  const elsewhere = () => page.evaluate(() => [document.cookie, ...Object.values(localStorage)].join("\n"));
  expect(await browserStorage()).toContain("berg");
  expect(await elsewhere()).not.toContain("berg");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/portal\/sign-in/);
  await expect.poll(browserStorage).not.toContain("berg");
  await signIn(page, bo, `/portal?client_id=${first}`);
  await sidebar(page).getByRole("link", { name: "Orders" }).click();
  await expect(page).toHaveURL(new RegExp(`/portal/orders\\?client_id=${first}$`));
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the links are plain addresses", async ({ page }) => {
    await signIn(page, bo, `/portal/orders/FF-1030?client_id=${first}`, { javaScript: false });
    await breadcrumbs(page).getByRole("link", { name: "Orders" }).click();
    await expect(page).toHaveURL(new RegExp(`/portal/orders\\?client_id=${first}$`));
  });
});
