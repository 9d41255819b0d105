import {
  admin,
  axe,
  createPerson,
  expect,
  type Login,
  openAs,
  test,
  uniqueName,
  waitUntilInteractive,
} from "./fixtures";

// The search on every page, by keyboard and by its button.

const shop = `${uniqueName("search")}.example`;
const other = `${uniqueName("search-other")}.example`;
let ada: Login;

test.beforeAll(async ({ playwright }) => {
  await admin("client", "create", "--id", shop, "--set", "display_name=Lanterna");
  await admin("client", "create", "--id", other);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop, "--client", other);
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const post = async (client_id: string, id: string, name: string) => {
    const order = {
      id,
      customer: { id: `c-${id}`, name, email: `${name.split(" ")[0]?.toLowerCase()}@mail.example` },
      items: [{ id: "CLOCK-1", name: "Silent wall clock" }],
    };
    const answer = await request.post(`/v1/orders?client_id=${client_id}`, {
      data: { order },
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(answer.status(), await answer.text()).toBe(200);
  };
  await post(shop, "FF-1030", "Ada Berg");
  await post(shop, "FF-1031", "Oskar Lind");
  await post(other, "GG-1", "Ada Berg");
  await request.dispose();
  ada = await createPerson("search-ada", "admin", shop, other);
});

test("finds an order by its customer with the keyboard alone, and keeps it under recent", async ({ page }) => {
  await openAs(page, ada, `/portal/analytics?client_id=${shop}`);
  await waitUntilInteractive(page);
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  await expect(dialog.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("ber ada");
  await expect(dialog.getByRole("option")).toHaveText([
    /^FF-1030.*Ada Berg/,
    /^Ada Berg.*ada@mail\.example/,
    /^Search all reviews/,
  ]);
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/portal/orders/FF-1030\\?client_id=${shop}$`));
  await expect(dialog).toBeHidden();

  await page.keyboard.press("Control+k");
  await expect(dialog.getByRole("option")).toHaveText([/FF-1030/]);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("finds a customer's orders, a product, pages, settings and actions", async ({ page }) => {
  await openAs(page, ada, `/portal?client_id=${shop}`);
  await page.getByRole("button", { name: "Search" }).click();
  const dialog = page.getByRole("dialog", { name: "Search" });
  const field = dialog.getByRole("combobox");
  await field.fill("oskar");
  await dialog.getByRole("option", { name: /^Oskar Lind/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "FF-1031" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "FF-1030" })).toBeHidden();

  // The list itself finds the same words.
  await page.getByRole("searchbox").fill("Silent wall clock");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByRole("link", { name: "FF-1030" })).toBeVisible();
  // The search loaded the page anew: its keys work once its scripts run.
  await waitUntilInteractive(page);

  for (const [typed, option, path] of [
    ["minimum days", "Minimum days between emails", "/portal/settings/sending"],
    ["webhook", "Create webhook", "/portal/integrations"],
    ["audit", "Audit log", "/portal/audit"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await field.fill(typed);
    await dialog.getByRole("option", { name: option }).click();
    await expect(page).toHaveURL(new RegExp(`${path}\\?client_id=${shop}$`));
    // While the dialog is closing, the keys do nothing.
    await expect(dialog).toBeHidden();
  }
  await page.keyboard.press("Control+k");
  await field.fill("xyzzy");
  await expect(dialog.getByText("No results for “xyzzy”.")).toBeVisible();
});

test("can be opened on a phone, and says what is wrong if the server can't be reached", async ({
  page,
  consoleErrors,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openAs(page, ada, `/portal?client_id=${shop}`);
  await page.getByRole("button", { name: "Search" }).click();
  const dialog = page.getByRole("dialog", { name: "Search" });
  await dialog.getByRole("combobox").fill("FF-103");
  await expect(dialog.getByRole("option")).toHaveCount(3);
  await page.route("**/portal/api/v1/search**", (route) => route.abort());
  await dialog.getByRole("combobox").fill("oskar");
  await expect(dialog.getByRole("status")).toContainText("The server can’t be reached");
  consoleErrors.splice(0);
});

test("Enter opens nothing of the words typed before", async ({ page }) => {
  await openAs(page, ada, `/portal?client_id=${shop}`);
  await waitUntilInteractive(page);
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  await expect(dialog.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("FF-103");
  await expect(dialog.getByRole("option", { name: /^FF-1030/ })).toHaveAttribute("aria-selected", "true");
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/portal/api/v1/search**", async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  answer();
  await expect(dialog.getByRole("option", { name: /^FF-1031/ })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/portal\/orders\/FF-1031/);
});
