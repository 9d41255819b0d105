import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { root } from "@/lib/launch/bootstrap.mjs";
import { admin, expect, test } from "./fixtures";

// npm run screenshots: every page as people see it, to be looked at by somebody who did not build it.

const folder = process.env.GALLERY ?? path.join(root, ".data/screenshots");
const full = "demo.candor.example";
const empty = "gallery-empty.example";
const person = { username: "demo", password: "demo-password" };

const pages: [name: string, path: string][] = [
  ["home", "/portal"],
  ["queue", "/portal/queue"],
  ["reviews", "/portal/reviews?status=all"],
  ["seller-reviews", "/portal/seller_reviews?status=all"],
  ["questions", "/portal/questions?status=all"],
  ["orders", "/portal/orders"],
  ["products", "/portal/products"],
  ["feeds", "/portal/feeds"],
  ["invitations", "/portal/invitations"],
  ["analytics", "/portal/analytics"],
  ["privacy", "/portal/privacy"],
  ["failures", "/portal/failures"],
  ["settings", "/portal/settings"],
  ["settings-forms", "/portal/settings/forms"],
  ["settings-questions", "/portal/settings/questions"],
  ["settings-moderation", "/portal/settings/moderation"],
  ["settings-display", "/portal/settings/display"],
  ["settings-sending", "/portal/settings/sending"],
  ["settings-rehearsal", "/portal/settings/invitations"],
  ["settings-keys", "/portal/settings/keys"],
  ["mailbox", "/portal/mailbox"],
  ["jobs", "/portal/jobs"],
  ["accounts", "/portal/accounts"],
];
/** Pages that nobody need be signed in for. */
const open: [name: string, path: string][] = [
  ["sign-in", "/portal/sign-in"],
  ["review-form", `/reviews/new?client_id=${full}&key=FF-CANDLE-PINE`],
  ["question-form", `/questions/new?client_id=${full}&key=FF-CANDLE-PINE`],
  ["shop", "/demo-shop"],
  ["shop-product", "/demo-shop/FF-CANDLE-PINE"],
  ["docs", "/docs"],
];

const views = [
  ["wide-light", "light", { width: 1440, height: 900 }],
  ["wide-dark", "dark", { width: 1440, height: 900 }],
  ["phone-light", "light", { width: 390, height: 844 }],
  ["phone-dark", "dark", { width: 390, height: 844 }],
] as const;

test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await admin("client", "create", "--id", empty, "--set", "display_name=Nothing Yet");
});

async function shoot(page: Page, name: string): Promise<void> {
  // What scrolls within the page is shown whole, as far as a picture may be long.
  const viewport = page.viewportSize();
  const height = await page.evaluate(() => document.querySelector("main")?.scrollHeight ?? 0);
  const longer = viewport !== null && viewport.width > 1_000 && height > viewport.height && !name.startsWith("queue");
  if (longer) await page.setViewportSize({ width: viewport.width, height: Math.min(height, 5_000) });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
  if (longer) await page.setViewportSize(viewport);
}

const visit = (page: Page, address: string) => page.goto(address, { waitUntil: "networkidle" });
const of = (address: string, client: string) => `${address}${address.includes("?") ? "&" : "?"}client_id=${client}`;

for (const [view, colorScheme, viewport] of views) {
  test(view, async ({ page, complaints }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [name, address] of open) {
      await visit(page, address);
      await shoot(page, `${name}.${view}`);
    }
    await visit(page, open[1]?.[1] ?? "");
    await page.getByRole("button").last().click();
    await shoot(page, `review-form.faults.${view}`);

    await page.goto("/portal/sign-in");
    await page.getByLabel("User name").fill(person.username);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await shoot(page, `sign-in.refused.${view}`);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/portal");
    for (const [name, address] of pages) {
      await visit(page, of(address, full));
      await shoot(page, `${name}.full.${view}`);
      await visit(page, of(address, empty));
      await shoot(page, `${name}.empty.${view}`);
    }
    const known: [name: string, list: string, within: RegExp][] = [
      ["review", "/portal/reviews?status=all", /^\/portal\/reviews\/[^?]+/],
      ["product", "/portal/products", /^\/portal\/products\/[^?]+/],
      ["order", "/portal/orders", /^\/portal\/orders\/[^?]+/],
      ["mail", "/portal/mailbox", /^\/portal\/mailbox\/[^?]+/],
    ];
    for (const [name, list, within] of known) {
      await visit(page, of(list, full));
      const links = await page.locator("main a").evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
      const first = links.find((link) => within.test(link));
      if (first === undefined) continue;
      await visit(page, first);
      await shoot(page, `${name}.full.${view}`);
    }
    await visit(page, of("/portal/reviews/none", full));
    await shoot(page, `not-found.${view}`);

    // Without an answer from the service.
    await page.route("**/portal/api/**", (route) => route.abort());
    await visit(page, of("/portal/queue", full));
    if (viewport.width > 1_000) await expect(page.getByText(/could not be loaded/)).toBeVisible({ timeout: 30_000 });
    await shoot(page, `queue.failing.${view}`);
    await visit(page, of("/portal/settings", full));
    await page.getByLabel("Name of the shop").fill("Another name");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/cannot be reached/)).toBeVisible();
    await shoot(page, `settings.failing.${view}`);
    await visit(page, of("/portal/settings/moderation", full));
    await page.getByLabel("Text", { exact: true }).fill("Any text.");
    await page.getByRole("button", { name: "Try the rules" }).click();
    await expect(page.getByText(/cannot be reached/)).toBeVisible();
    await shoot(page, `settings-moderation.failing.${view}`);
    // The browser notes what was cut off on purpose, and the page that is not there.
    const unexpected = complaints.splice(0).filter((text) => !/ERR_FAILED|404/.test(text));
    expect(unexpected).toEqual([]);
  });
}

test("the picture of the README", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto("/portal");
  await page.getByLabel("User name").fill(person.username);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/portal");
  await visit(page, of("/portal/queue", full));
  await expect(page.getByRole("article")).toBeVisible();
  await page.screenshot({ path: path.join(root, "public/screenshots/queue.png") });
});
