import type { Page } from "@playwright/test";
import { admin, axe, createPerson, expect, type Login, openAs, test, uniqueName } from "./fixtures";

// Switching between many stores.

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

  await page.keyboard.press("ArrowDown");
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
  await page.getByRole("button", { name: "Menu" }).click();
  for (const name of ["Home", "Queue", "Reviews", "Orders", "Products", "Feeds", "Analytics", "Settings"])
    await expect(page.getByRole("menuitem", { name, exact: true })).toBeVisible();
  await page.keyboard.press("Escape");

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
});
