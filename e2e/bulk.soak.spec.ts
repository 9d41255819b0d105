import { admin, axe, createPerson, expect, test, waitUntilInteractive } from "./fixtures";

// A long queue: fifty items moderated by keyboard, then two hundred in bulk, three of which changed in the meantime.

const shop = "bulk.example";
const COUNT = 254;
type Review = { id: string; extract: string; accepted: boolean | null; reject_reason: string | null };

test("moderates fifty items by keyboard and two hundred in bulk, three of which conflict", async ({
  page,
  playwright,
}) => {
  test.setTimeout(240_000); // hundreds of items are posted, viewed or decided one by one
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", shop);
  const extract = (n: number) => `Number ${n} of those that wait.`;
  for (let n = 1; n <= COUNT; n++) {
    const data = {
      client_id: shop,
      api_key: public_key,
      product_id: "P-1",
      product_name: "Oak lamp",
      author: `Author ${n}`,
      score: 1 + (n % 5),
      content: extract(n),
    };
    expect((await request.post("/collect/reviews", { data })).status()).toBe(201);
  }
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const headers = { Authorization: `Bearer ${secret}` };
  const reviews = async (state: string): Promise<Review[]> =>
    (await (await request.get(`/v1/reviews?moderation_status=${state}&limit=1000`, { headers })).json()).data;
  const counts = async () => [
    (await reviews("accepted")).length,
    (await reviews("rejected")).length,
    (await reviews("pending")).length,
  ];
  const person = await createPerson("bulk-moderator", "moderator", shop);

  // Keyboard only, from sign-in on.
  await page.goto("/portal/queue");
  await page.getByLabel("Username").focus();
  await page.keyboard.type(person.username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/portal\/queue(\?item=|$)/);
  await waitUntilInteractive(page);
  const article = page.getByRole("article");
  for (let n = 1; n <= 50; n++) {
    await expect(article).toContainText(extract(n));
    if (n % 10 === 0) {
      await page.keyboard.press("r");
      await expect(page.getByRole("dialog", { name: "Reason for rejection" })).toBeVisible();
      await page.keyboard.press("2");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    } else await page.keyboard.press("a");
  }
  await expect(article).toContainText(extract(51));
  await expect.poll(counts, { timeout: 20_000 }).toEqual([45, 5, COUNT - 50]);

  // Selects a range by keyboard, then clears the selection.
  await expect(page.getByRole("link", { name: extract(53) })).toBeVisible(); // the next page of the list is loaded
  for (const key of ["x", "j", "j", "Shift+X"]) await page.keyboard.press(key);
  await expect(page.getByText("3 selected")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve 3" })).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByText(/ selected$/)).toHaveCount(0);

  // Two hundred in bulk. In the meantime, two of them were decided and one was deleted.
  await page.getByRole("checkbox", { name: "Select all (up to 200)" }).click();
  await expect(page.getByText("200 selected")).toBeVisible();
  const [first, second, third] = await reviews("pending");
  for (const one of [first, second]) {
    const data = { review: { accepted: false, reject_reason: "spam" } };
    expect((await request.put(`/v1/reviews/${one?.id}`, { headers, data })).status()).toBe(200);
  }
  expect((await request.delete(`/v1/reviews/${third?.id}`, { headers })).status()).toBe(204);
  // Freezes the time for undo, so that a slow axe run doesn't use it up.
  await page.clock.setFixedTime(new Date());
  await page.keyboard.press("a");
  await expect(page.getByText(/^200 items approved\./).first()).toBeVisible();
  const unchangedItems = page.getByRole("list", { name: "Items not changed" }).getByRole("listitem");
  await expect(unchangedItems).toHaveText([
    /Author 51.*In the meantime, the store’s system rejected it\./,
    /Author 52.*In the meantime, the store’s system rejected it\./,
    /Author 53.*This review doesn’t exist/,
  ]);
  await expect(page.getByRole("heading", { name: "3 items weren’t changed. 197 items were updated." })).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);

  // Undo restores all of them.
  await page.keyboard.press("u");
  await expect(page.getByText("Undone: 197 items restored.").first()).toBeVisible();
  await expect.poll(counts, { timeout: 20_000 }).toEqual([45, 7, COUNT - 53]);

  // "G R" navigates; its second key doesn't open the reject dialog.
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.waitForURL(/\/portal\/library$/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
