import type { Locator, Page } from "@playwright/test";
import { admin, createPerson, expect, expectAccessible, type Login, openAs, test, uniqueName } from "./fixtures";

// The list of orders with its sort and filters, and what is done with an order's invitations.

const id = `${uniqueName("orders")}.example`;
let person: Login;

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  await admin("client", "create", "--id", id);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", id);
  person = await createPerson("orders-admin", "admin", id);
  const order = (number: string, delivery_date: string | null, item: object = {}, customer: object = {}) => ({
    id: number,
    customer: { id: `of ${number}`, name: "Ada Berg", email: `${number.toLowerCase()}@${id}`, ...customer },
    items: [
      { id: "LAMP-1", name: "Oak lamp", delivery_date, ...item },
      ...(number === "T-20" ? [{ id: "RUG-2", name: "Wool rug", delivery_date }] : []),
    ],
  });
  for (const given of [
    order("T-30", day(-1)),
    order("T-10", day(-400)),
    order("T-20", day(-1)),
    order("T-40", day(-1), { reviewable: false }),
    order("T-50", day(-1), {}, { opt_out: true }),
    order("T-60", day(200)),
  ])
    expect(
      (
        await request.post("/v1/orders", { headers: { Authorization: `Bearer ${secret}` }, data: { order: given } })
      ).status(),
    ).toBe(200);
  await request.dispose();
});

const numbers = (page: Page) =>
  page.getByRole("table", { name: "Orders" }).getByRole("link", { name: /^T-/ }).allTextContents();

/** Where each step's text is, seen from its date, and by how many pixels it is indented. */
const textPlaces = (timeline: Locator): Promise<string[]> =>
  timeline.getByRole("listitem").evaluateAll((steps) =>
    steps.map((step) => {
      const [date, text] = [...step.querySelectorAll("time, time + span")].map((part) => part.getBoundingClientRect());
      if (!date || !text) return "missing";
      return `${text.top >= date.bottom ? "below" : "beside"} ${Math.round(text.left - date.left)}`;
    }),
  );

test("orders are sorted by their headings and filtered by their invitations, in the address", async ({ page }) => {
  await openAs(page, person, "/portal/orders");
  const newest = ["T-60", "T-50", "T-40", "T-20", "T-10", "T-30"];
  expect(await numbers(page)).toEqual(newest);
  await expect(page.getByRole("columnheader", { name: "Received" })).toHaveAttribute("aria-sort", "descending");

  // By keyboard.
  await page.getByRole("columnheader", { name: "Order", exact: true }).getByRole("link").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/sort=number(&|$)/);
  await expect(page.getByRole("columnheader", { name: "Order", exact: true })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await expect.poll(() => numbers(page)).toEqual(newest.toSorted());
  const received = page.getByRole("columnheader", { name: "Received" });
  await received.getByRole("link").click();
  await expect(received).toHaveAttribute("aria-sort", "descending");
  await received.getByRole("link").click();
  await expect(page).toHaveURL(/sort=oldest/);
  await expect.poll(() => numbers(page)).toEqual(newest.toReversed());

  const filters = page.getByRole("navigation", { name: "Filter orders" });
  await filters.getByRole("link", { name: "Not invited" }).click();
  await expect.poll(() => numbers(page)).toEqual(["T-10", "T-40", "T-50"]);
  await page.getByLabel("Reason").selectOption({ label: "Excluded" });
  await page.getByLabel("Reason").press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/invitation=none.*reason=excluded/);
  await expect.poll(() => numbers(page)).toEqual(["T-40"]);
  await expect(page.getByRole("row").filter({ hasText: "T-40" })).toContainText("Excluded");
  await expectAccessible(page, "orders not invited");
  // The filter is still there after a visit to an order.
  await page.getByRole("link", { name: "T-40" }).click();
  await expect(page.getByRole("heading", { name: "Order T-40" })).toBeVisible();
  await page.goBack();
  await expect.poll(() => numbers(page)).toEqual(["T-40"]);
  await page.getByLabel("Reason").selectOption({ label: "No email address" });
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("heading", { name: "No orders match this filter" })).toBeVisible();

  await filters.getByRole("link", { name: /Will be invited in the next 7 days/ }).click();
  await expect(page).toHaveURL(/invitation=soon/);
  const soon = await numbers(page);
  expect(soon).not.toContain("T-60");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, "orders on a phone");
  await page.getByRole("navigation", { name: "Sort" }).getByRole("link", { name: "Latest delivery" }).click();
  await expect(page).toHaveURL(/sort=latest/);
  await filters.getByRole("link", { name: "All", exact: true }).click();
  await page.getByRole("navigation", { name: "Sort" }).getByRole("link", { name: "Oldest first" }).click();
  await expect.poll(() => numbers(page)).toEqual(newest.toReversed());
  // The results of a search have one order: no sort is offered, neither above the list nor in its headings.
  await page.goto("/portal/orders?q=T-");
  await expect.poll(() => numbers(page)).toContain("T-60");
  await expect(page.getByRole("navigation", { name: "Sort" })).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole("columnheader").getByRole("link")).toHaveCount(0);
});

test("only fitting actions are offered, recorded with person and time, and sending asks first", async ({ page }) => {
  await openAs(page, person, "/portal/orders/T-10");
  // Its window is over, so nothing can be done.
  await expect(page.getByRole("list", { name: "Items" })).toContainText("the invitation window expired");
  for (const name of [/^Pause/, /^Don’t invite/, /^Send now/])
    await expect(page.getByRole("button", { name })).toHaveCount(0);

  await page.goto("/portal/orders/T-20");
  const item = (name: string) => page.getByRole("list", { name: "Items" }).locator("> li").filter({ hasText: name });
  const [lamp, rug] = [item("Oak lamp"), item("Wool rug")];
  // Two clicks have one effect.
  await lamp.getByRole("button", { name: "Don’t invite" }).dblclick();
  const timeline = lamp.getByRole("list", { name: /^Timeline/ });
  const places = await textPlaces(timeline);
  expect(places[0]).toMatch(/^beside \d{3}$/);
  expect(new Set(places).size).toBe(1);
  await expect(timeline.getByText("Excluded from invitations by orders-admin")).toHaveCount(1);
  await expect(lamp.getByRole("button", { name: "Pause invitation" })).toHaveCount(0);
  await expect(lamp.getByRole("button", { name: "Send now" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(timeline).toContainText("Invitations allowed again by orders-admin");
  await expect(lamp.getByRole("button", { name: "Pause invitation" })).toBeVisible();

  // Sending asks first, with whom it goes to.
  await rug.getByRole("button", { name: "Send now" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Send the invitation now?" });
  await expect(dialog).toContainText(`It will be sent to Ada Berg, t-20@${id}.`);
  await expect(dialog.getByRole("button", { name: "Send now" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(rug.getByRole("button", { name: "Send now" })).toBeFocused();
  await page.setViewportSize({ width: 390, height: 844 });
  await rug.getByRole("button", { name: "Send now" }).click();
  await expectAccessible(page, "the dialog on a phone");
  await dialog.getByRole("button", { name: "Send now" }).click();
  const rugTimeline = rug.getByRole("list", { name: /^Timeline/ });
  await expect(rugTimeline).toContainText("Email sent manually by orders-admin");
  // Short texts such as "Delivered." are where long ones are.
  expect(new Set(await textPlaces(rugTimeline))).toEqual(new Set(["below 0"]));
  await expect(rug.getByRole("button", { name: "Send now" })).toHaveCount(0);
  await expectAccessible(page, "an order on a phone");
});

test("an order's story is printed whole, without navigation and buttons", async ({ page }) => {
  await openAs(page, person, "/portal/orders/T-20");
  await page.evaluate(() => {
    Object.assign(window, { print: () => document.body.setAttribute("data-printed", "") });
  });
  await page.getByRole("button", { name: "Print" }).click();
  await expect(page.locator("body[data-printed]")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Copy Order number" })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Order T-20" })).toBeVisible();
  await expect(page.getByRole("list", { name: /^Timeline/ }).first()).toContainText("Order received by Candor.");
  // A collapsed timeline is printed, too.
  await page.emulateMedia({ media: "screen" });
  const timeline = page.locator("#content details").first();
  await timeline.locator("summary").click();
  await expect(timeline).not.toHaveAttribute("open");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await expect(timeline).toHaveAttribute("open");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(timeline).not.toHaveAttribute("open");
});
