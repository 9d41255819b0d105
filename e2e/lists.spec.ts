import { writeFileSync } from "node:fs";
import { admin, createPerson, expect, type Login, openAs, test, uniqueName } from "./fixtures";

// What all lists of the portal have: headings that sort.

const shop = `${uniqueName("lists")}.example`;
let person: Login;
let reviewId: string;

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  await admin("client", "create", "--id", shop);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const headers = { Authorization: `Bearer ${secret}` };
  for (const n of [1, 2, 3]) {
    const item = { id: `P-${n}`, name: `Oak lamp ${n}` };
    const customer = { id: `C-${n}`, name: "Ada Berg", email: `ada-${n}@${shop}`, lang: "en" };
    const order = { id: `O-${n}`, customer, items: [{ ...item, delivery_date: "2030-01-01" }] };
    const posted = await request.post("/v1/orders", { headers, data: { order } });
    expect(posted.status(), await posted.text()).toBe(200);
    const review = { author: `Author ${n}`, score: 5, date: `2026-03-0${n}`, extract: "Fine.", order: { item } };
    const created = await request.post("/v1/reviews", { headers, data: { review } });
    expect(created.status(), await created.text()).toBe(201);
  }
  const catalog = test.info().outputPath("catalog.csv");
  const rows = [1, 2, 3].map((n) => `P-${n},Oak lamp ${n},https://shop.example/${n}`);
  writeFileSync(catalog, ["id,title,link", ...rows, ""].join("\n"));
  await admin("products", "import", catalog, "--client", shop);
  const { data } = await (await request.get(`/v1/reviews?client_id=${shop}`, { headers })).json();
  reviewId = data[0].id;
  await request.dispose();
  person = await createPerson("lists-admin", "admin", shop);
});

test("headings sort reviews by date and products by id, and say so", async ({ page }) => {
  await openAs(page, person, "/portal/library");
  const heading = (name: string) => page.getByRole("columnheader", { name });
  const authors = () =>
    page
      .getByRole("row")
      .getByText(/^Author \d$/)
      .allTextContents();
  await expect(heading("Date")).toHaveAttribute("aria-sort", "descending");
  expect(await authors()).toEqual(["Author 3", "Author 2", "Author 1"]);
  await heading("Date").getByRole("link").focus();
  await page.keyboard.press("Enter");
  await expect(heading("Date")).toHaveAttribute("aria-sort", "ascending");
  await expect.poll(authors).toEqual(["Author 1", "Author 2", "Author 3"]);
  await expect(page.getByRole("combobox", { name: "Sort" })).toHaveValue("oldest");
  await page.getByRole("combobox", { name: "Sort" }).selectOption("highest");
  await expect(heading("Date")).toHaveAttribute("aria-sort", "none");

  await page.goto("/portal/products");
  const products = () =>
    page
      .getByRole("row")
      .getByText(/^P-\d$/)
      .allTextContents();
  await expect(heading("Product")).toHaveAttribute("aria-sort", "ascending");
  expect(await products()).toEqual(["P-1", "P-2", "P-3"]);
  await heading("Product").getByRole("link").click();
  await expect(heading("Product")).toHaveAttribute("aria-sort", "descending");
  await expect.poll(products).toEqual(["P-3", "P-2", "P-1"]);
  // A search keeps the order, also on a phone, where the heading is there as well.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("searchbox").fill("lamp");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=lamp/);
  expect(await products()).toEqual(["P-3", "P-2", "P-1"]);
  await heading("Product").getByRole("link").click();
  await expect.poll(products).toEqual(["P-1", "P-2", "P-3"]);
});
