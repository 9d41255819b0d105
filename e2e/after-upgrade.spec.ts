import type { Page } from "@playwright/test";
import { picture } from "@/lib/tools/test/pictures";
import { admin, createPerson, expect, holdScripts, type Login, openAs, test, uniqueName } from "./fixtures";

// A tab left open over an upgrade: scripts that it hasn't loaded yet are gone.

const shop = `${uniqueName("upgraded")}.example`;
const published = "A warm light, and the switch is where it should be.";
const held = "A warm light for 499 kr, and cheaper at www.other.example.";
let person: Login;
let heldId: string;

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_URL ?? "" });
  const set = ["--set", "auto_moderate=true", 'rules={"photo":{"on":false}}'];
  const { public_key } = await admin<{ public_key: string }>("client", "create", "--id", shop, ...set);
  const { secret } = await admin<{ secret: string }>("key", "create", "--client", shop);
  const headers = { Authorization: `Bearer ${secret}` };
  const file = { name: "lamp.png", mimeType: "image/png", buffer: await picture(320, 200).png().toBuffer() };
  const uploaded = await request.post("/uploader", { multipart: { client_id: shop, api_key: public_key, file } });
  const common = { client_id: shop, api_key: public_key, product_id: "P-1", product_name: "Lamp", author: "Ann" };
  for (const review of [
    { score: 5, content: published, images: [await uploaded.json()] },
    { score: 3, content: held },
  ])
    expect((await request.post("/collect/reviews", { data: { ...common, ...review } })).status()).toBe(201);
  const reviews = async (): Promise<{ id: string; accepted: boolean | null }[]> =>
    (await (await request.get("/v1/reviews", { headers })).json()).data;
  await expect.poll(async () => (await reviews()).map(({ accepted }) => accepted), { timeout: 20_000 }).toContain(true);
  heldId = (await reviews()).find(({ accepted }) => accepted === null)?.id ?? "";
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

const photos = (page: Page) => page.getByRole("navigation", { name: "Type" }).getByRole("link", { name: /^Photos/ });
const photo = (page: Page) => page.getByRole("img", { name: "By Ann, with a review of Lamp" });

test("a photo that can't be shown can't be decided, alone or with others", async ({ page, consoleErrors }) => {
  await openBeforeUpgrade(page);
  await photos(page).click();
  const reload = page.getByRole("alert").getByRole("button", { name: "Reload page" });
  await expect(reload).toHaveCount(1);
  for (const name of [/^Approve/, /^Reject/]) await expect(page.getByRole("button", { name })).toBeDisabled();
  const noDecision = async () => {
    for (const key of ["a", "r", "p"]) await page.keyboard.press(key);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("list", { name: "Queue" }).getByRole("listitem")).toHaveCount(1);
  };
  await noDecision();
  await page.keyboard.press("x");
  for (const name of ["Approve 1", "Reject 1"]) await expect(page.getByRole("button", { name })).toBeDisabled();
  await noDecision();
  await expect(reload).toHaveCount(1);
  // On a phone the list is shown without the article.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Back to list" }).click();
  await expect(reload).toBeVisible();
  for (const name of ["Approve 1", "Reject 1"]) await expect(page.getByRole("button", { name })).toBeDisabled();
  await page.unrouteAll();
  await reload.click();
  // It is still pending.
  await expect(photo(page)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Approve/ })).toBeEnabled();
  expect(consoleErrors.splice(0).filter((text) => !isMissingScript(text))).toEqual([]);
});

test("what shows photos is loaded with a list that has one, and until then none can be decided", async ({ page }) => {
  await openAs(page, person, "/portal/reviews");
  await expect(page.getByRole("article")).toContainText(held);
  await page.waitForLoadState("networkidle");
  const release = await holdScripts(page);
  await photos(page).click();
  const approve = page.getByRole("button", { name: /^Approve/ });
  await expect(approve).toBeDisabled();
  await release();
  await expect(photo(page)).toBeVisible();
  await expect(approve).toBeEnabled();

  await page.goto(`/portal/queue?item=${heldId}`);
  await expect(page.getByRole("article")).toContainText(held);
  await page.waitForLoadState("networkidle");
  await page.route("**/_next/static/**/*.js", (route) => route.abort());
  await photos(page).click();
  await expect(photo(page)).toBeVisible();
  await expect(approve).toBeEnabled();
});

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
