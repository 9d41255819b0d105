import type { Page } from "@playwright/test";
import { admin, createPerson, expect, type Login, openAs, test, uniqueName } from "./fixtures";

// A tab left open over an upgrade: scripts that it hasn't loaded yet are gone.

const shop = `${uniqueName("upgraded")}.example`;
const published = "A warm light, and the switch is where it should be.";
const held = "A warm light for 499 kr, and cheaper at www.other.example.";
let person: Login;

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const set = ["--set", "auto_moderate=true"];
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", shop, ...set);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const headers = { Authorization: `Bearer ${secret}` };
  const common = { client_id: shop, api_key: public_key, product_id: "P-1", product_name: "Lamp", author: "Ann" };
  for (const review of [
    { score: 5, content: published },
    { score: 3, content: held },
  ])
    expect((await request.post("/collect/reviews", { data: { ...common, ...review } })).status()).toBe(201);
  const reviews = async (): Promise<{ accepted: boolean | null }[]> =>
    (await (await request.get("/v1/reviews", { headers })).json()).data;
  await expect.poll(async () => (await reviews()).map(({ accepted }) => accepted), { timeout: 20_000 }).toContain(true);
  person = await createPerson("upgraded", "moderator", shop);
});

/** The page of pending reviews, after which every script is gone. */
async function openBeforeUpgrade(page: Page, prepare = async () => {}): Promise<void> {
  await openAs(page, person, "/portal/reviews");
  await expect(page.getByRole("article")).toContainText(held);
  await prepare();
  await page.waitForLoadState("networkidle");
  await page.route("**/_next/static/**/*.js", (route) => route.abort());
}

const isMissingScript = (text: string) => /ERR_FAILED|Failed to load chunk/.test(text);

test("replies that can't be loaded say so once", async ({ page, baseURL, consoleErrors }) => {
  await openBeforeUpgrade(page);
  const { data } = await (await page.request.get(`/portal/api/v1/queue?client_id=${shop}&status=accepted`)).json();
  for (const text of ["Thank you!", "And see you soon."]) {
    const path = `/portal/api/v1/queue/review/${data[0].id}/replies?client_id=${shop}`;
    const answer = await page.request.post(path, { data: { text }, headers: { Origin: baseURL ?? "" } });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
  await page.getByRole("navigation", { name: "Status" }).getByRole("link", { name: "Published" }).click();
  await expect(page.getByRole("article")).toContainText(published);
  const alert = page.getByRole("region", { name: "Replies" }).getByRole("alert");
  await expect(alert).toContainText("Couldn’t load this.");
  await expect(alert).toHaveCount(1);
  await page.unrouteAll();
  await alert.getByRole("button", { name: "Reload page" }).click();
  const replies = page.getByRole("region", { name: "Replies" }).getByRole("listitem");
  await expect(replies).toContainText(["Thank you!", "And see you soon."]);
  expect(consoleErrors.splice(0).filter((text) => !isMissingScript(text))).toEqual([]);
});

test("a menu whose entries can't be loaded offers to reload the page", async ({ page, consoleErrors }) => {
  const menu = page.getByRole("menu");
  await openBeforeUpgrade(page, async () => {
    // Another menu loads what all of them share.
    await page.getByRole("button", { name: "Views" }).click();
    await expect(menu.getByRole("menuitem").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(menu).toHaveCount(0);
  });
  await page.getByRole("button", { name: "Assign" }).click();
  const entry = menu.getByRole("menuitem", { name: "Couldn’t load this. Reload the page and try again." });
  await expect(entry).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(entry).toBeFocused();
  await page.unrouteAll();
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
  await expect(page.getByRole("article")).toContainText(held);
  expect(consoleErrors.splice(0).filter((text) => !isMissingScript(text))).toEqual([]);
});
