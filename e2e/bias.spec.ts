import { admin, axe, colorRules, createPerson, expect, expectAccessible, openAs, test, uniqueName } from "./fixtures";

// Equal treatment: a store that rejects reviews with few stars more often sees that in the portal, and shoppers see it on
// the public page after 30 days. Also: moderating with stars hidden.

const sentence =
  "Reviews with 1 or 2 stars are published less often than those with 4 or 5: 0% against 100%, 54 reviews, p < 0.001";

test("shows what depends on stars at Home, in plain words, and on the public page", async ({ page, playwright }) => {
  test.setTimeout(150_000);
  const shop = `${uniqueName("bias")}.example`;
  await admin("client", "create", "--id", shop, "--set", "display_name=Lanterna");
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const request = await playwright.request.newContext({
    baseURL: process.env.E2E_URL ?? "",
    httpCredentials: { username: secret, password: "", send: "always" },
  });
  for (let index = 0; index < 54; index += 1) {
    const review = {
      external_id: `r${index}`,
      author: "Bo",
      score: index < 24 ? 1 : 5,
      extract: `Review number ${index}`,
      order: { item: { id: "P-1" } },
      accepted: index >= 24,
    };
    expect((await request.post("/v1/reviews", { data: { client_id: shop, review } })).ok()).toBe(true);
  }
  await request.dispose();
  const person = await createPerson("bias-admin", "admin", shop);

  // A look each Monday finds it; the last of these is 30 days after the first.
  const later = new Date(Date.now() + 45 * 86_400_000).toISOString();
  await expect
    .poll(async () => {
      await admin("jobs", "run", "compute-figures", "--client", shop, "--now", later);
      return (await (await page.request.get(`/honesty/${shop}/figures.json`)).json()).bias.length;
    })
    .toBe(1);
  await openAs(page, person, "/portal");
  await page.getByRole("link", { name: "1 difference in how reviews or customers are treated" }).click();
  await expect(page.getByRole("heading", { name: "Equal treatment", level: 1 })).toBeVisible();
  await expect(page.getByText(sentence)).toBeVisible();
  await expectAccessible(page, "findings");
  await page.getByRole("button", { name: "Notifications: 1 unread" }).click();
  await expect(
    page.getByRole("dialog", { name: "Notifications" }).getByText("Not all reviews or customers are treated alike"),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Hide stars until reviews are decided" }).click();
  await expect(page.getByRole("switch", { name: "Hide stars until reviews are decided" })).toBeVisible();

  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto(`/portal/bias?client_id=${shop}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.goto(`/honesty/${shop}?lang=en`);
  await expect(page.getByText(sentence)).toBeVisible();
  expect((await axe(page).analyze()).violations).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await axe(page).withRules(colorRules).analyze()).violations, "dark").toEqual([]);
});

test("hides stars until a review is decided, for a person or for everyone", async ({ page, playwright }) => {
  test.setTimeout(150_000);
  const shop = `${uniqueName("hidden")}.example`;
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", shop);
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const common = { client_id: shop, api_key: public_key, product_id: "P-1", product_name: "Oak lamp", author: "Ann" };
  for (const [score, content] of [
    [1, "The switch broke after a week."],
    [5, "Lights up the whole room."],
  ] as const)
    expect((await request.post("/collect/reviews", { data: { ...common, score, content } })).status()).toBe(201);
  await request.dispose();
  const person = await createPerson("hidden-admin", "admin", shop);
  const stars = page.getByRole("main").getByRole("img", { name: /out of 5 stars/ });
  const hidden = page.getByRole("main").getByRole("img", { name: "Stars hidden until decided" });

  await openAs(page, person, "/portal/bias");
  await expect(page.getByText("Not enough reviews yet")).toBeVisible();
  const lines = await page.getByRole("link", { name: "Public page" }).evaluate((link) => {
    const range = document.createRange();
    range.selectNodeContents(link);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);

  // For the person.
  await page.goto("/portal/account");
  const own = page.getByRole("switch", { name: "Hide stars until reviews are decided" });
  await expect(own).not.toBeChecked();
  await own.press("Space");
  await page.locator("form").filter({ has: own }).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await page.goto("/portal/queue");
  await expect(page.getByRole("article")).toContainText("The switch broke after a week.");
  await expect(hidden).toHaveCount(3);
  await expect(stars).toHaveCount(0);
  await expectAccessible(page, "queue without stars");
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("article")).toContainText("Lights up the whole room.");
  // The queue shows the next review before the decision is saved.
  await expect(async () => {
    await page.goto("/portal/library");
    await expect(stars).toHaveCount(1, { timeout: 2_000 });
  }).toPass();
  await expect(hidden).toHaveCount(1);
  await expect(page.getByRole("group", { name: "Stars" })).toHaveCount(0);
  await page.getByLabel("Status").selectOption("accepted");
  await expect(page.getByRole("group", { name: "Stars" })).toBeVisible();

  // For everyone.
  await page.goto("/portal/account");
  await own.press("Space");
  await page.locator("form").filter({ has: own }).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await page.goto("/portal/queue");
  await expect(stars).toHaveCount(2);
  await page.goto("/portal/settings/moderation");
  await page.getByRole("switch", { name: "Hide stars until reviews are decided" }).press("Space");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.").first()).toBeVisible();
  await page.goto("/portal/queue");
  await expect(hidden).toHaveCount(2);
  await expect(stars).toHaveCount(0);
});
