import { type Browser, devices, type Page } from "@playwright/test";
import { admin, axe, createPerson, expect, type Login, openAs, test, uniqueName } from "./fixtures";
import { emailText, publicText } from "./translations";

// An author's own page: from the email about a rejection to the outcome of an appeal. Without scripts, on a phone.

const shop = `${uniqueName("authors")}.example`;
const email = `ada@${shop}`;
const text = "Warm light, but it flickers.";
const { defaultBrowserType: _, ...phone } = devices["Pixel 7"];
const t = publicText("en");
let mia: Login;
let noah: Login;

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const set = ["--set", "display_name=Lampor & Ljus"];
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", shop, ...set);
  const about = { client_id: shop, api_key: public_key, product_id: "P-1", product_name: "Oak lamp" };
  const review = { ...about, author: "Ada", author_email: email, score: 2, content: text, lang: "en" };
  expect((await request.post("/collect/reviews", { data: review })).status()).toBe(201);
  mia = await createPerson("authors-mia", "moderator", shop);
  noah = await createPerson("authors-noah", "moderator", shop);
  await request.dispose();
});

const mails = () => admin<{ text: string; subject: string }[]>("mail", "list", "--to", email);

async function openAsIn(browser: Browser, person: Login): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: process.env.E2E_URL })).newPage();
  await openAs(page, person, "/portal/queue");
  return page;
}

/** Checks the page in light and dark with axe, and that nothing overflows horizontally. */
async function expectClean(page: Page) {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect((await axe(page).analyze()).violations, colorScheme).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
}

test("an author sees why a review was rejected, appeals, and sees that another person published it", async ({
  browser,
}) => {
  const miasPage = await openAsIn(browser, mia);
  await expect(miasPage.getByRole("article")).toContainText(text);
  await miasPage.keyboard.press("r");
  const reasons = miasPage.getByRole("dialog", { name: "Reason for rejection" });
  await reasons.getByRole("button", { name: "Mentions a competitor" }).click();
  await expect(miasPage.getByText(/^Rejected: Mentions a competitor/).first()).toBeVisible();

  await expect.poll(async () => (await mails()).length, { timeout: 30_000 }).toBe(1);
  const [rejection] = await mails();
  const link = new RegExp(`${process.env.E2E_URL}/me/[\\w-]+`).exec(rejection?.text ?? "")?.[0] ?? "";
  const page = await (await browser.newContext({ ...phone, baseURL: process.env.E2E_URL })).newPage();
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(t("authorPage.title", { shop: "Lampor & Ljus" }));
  await expect(page.getByText(t("receipt.statusRejected"))).toBeVisible();
  await expect(page.getByText(emailText("en")("rejectReason.competitor"))).toBeVisible();
  await page.getByText(t("authorPage.statement")).click();
  await expect(page.getByText(emailText("en")("statement.byPerson"))).toBeVisible();
  await page.getByText(t("authorPage.appeal"), { exact: true }).click();
  await page.getByText(t("authorPage.withdraw", { kind: "review" }), { exact: true }).click();
  await page.getByText(t("authorPage.erase"), { exact: true }).first().click();
  await expectClean(page);
  await page.getByRole("link", { name: t("receipt.link") }).click();
  await expect(page.getByText(t("receipt.rejected"), { exact: true })).toBeVisible({ timeout: 15_000 });
  await page.goBack();

  await page.getByText(t("authorPage.appeal"), { exact: true }).click();
  await page.getByLabel(t("authorPage.appealLabel")).fill("I named no competitor.");
  await page.getByRole("button", { name: t("authorPage.appealButton") }).click();
  await expect(page.getByRole("status")).toHaveText(t("authorPage.appealed", { shop: "Lampor & Ljus" }));
  await expect(page.getByText("I named no competitor.")).toBeVisible();
  await expectClean(page);

  await miasPage.reload();
  await expect(miasPage.getByRole("region", { name: "Appeal" })).toContainText("I named no competitor.");
  expect((await axe(miasPage).analyze()).violations).toEqual([]);
  await miasPage.getByRole("article").waitFor();
  await miasPage.keyboard.press("a");
  await expect(miasPage.getByText(/Another person must decide/).first()).toBeVisible();
  const noahsPage = await openAsIn(browser, noah);
  await expect(noahsPage.getByRole("region", { name: "Appeal" })).toContainText("I named no competitor.");
  await noahsPage.keyboard.press("a");

  await expect.poll(async () => (await mails()).length, { timeout: 30_000 }).toBe(2);
  expect((await mails()).map(({ subject }) => subject)).toContain("The outcome of your appeal to Lampor & Ljus");
  await page.goto(link);
  await expect(page.getByText(t("receipt.statusPublished"))).toBeVisible();
  for (const opened of [page, miasPage, noahsPage]) await opened.context().close();
});

test("an author requests a link, and learns nothing about others", async ({ browser }) => {
  const page = await (await browser.newContext({ ...phone, baseURL: process.env.E2E_URL })).newPage();
  await page.goto(`/me?client_id=${shop}&lang=sv`);
  await expectClean(page);
  await page.getByLabel(publicText("sv")("authorPage.email")).fill("nobody@example.org");
  await page.getByRole("button", { name: publicText("sv")("authorPage.requestButton") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(publicText("sv")("authorPage.sentHeading"));
  await page.context().close();
});
