import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import pg from "pg";
import { hashPassword } from "@/lib/accounts/sign-in/password";
import { disableScriptCache, type FirstLoad, firstLoad } from "@/lib/tools/bench/first-load";
import { startServer } from "@/lib/tools/bench/processes";
import { readerClient } from "@/lib/tools/bench/seed";
import { chromiumPath, ensureChromium } from "@/lib/tools/launch/chromium.mjs";

// Response time for a moderator: from a key press to the next item. Measured in the browser, from the key's event to
// the frame that shows the whole next item, while the service saves each decision as usual.

export const PORTAL = "portal";
const DECISIONS = 100;
/** Milliseconds between an item's appearance and the next key: faster than a person reads. */
const PAUSE_MS = 150;

export type Portal = {
  name: typeof PORTAL;
  about: string;
  decisions: number;
  pendingReviews: number;
  /** milliseconds from key to item */
  median: number;
  p95: number;
  max: number;
  /** the same with many items loaded in the list */
  withLongList: { items: number; median: number; p95: number; max: number };
  /** milliseconds until the server has sent the whole page, median of several requests */
  pages: { page: string; median: number }[];
  /** what each page fetches on first visit */
  firstLoads: FirstLoad[];
};

/** Pages that read or show much data. */
const pages = [
  ["home", "/portal"],
  ["reviews, all", "/portal/reviews?status=all"],
  ["reviews with a word", "/portal/reviews?status=all&words=lamp"],
  ["orders", "/portal/orders"],
  ["products", "/portal/products"],
  ["analytics, 24 months", "/portal/analytics?period=24m&by=product"],
  ["analytics by brand", "/portal/analytics?period=24m&by=brand"],
] as const;
const REPETITIONS = 5;

const person = { username: "bench-moderator", password: "bench-password-0123" };

/**
 * Decides a hundred items with one key each in a browser, and a hundred more with a long list. Throws if one isn't
 * decided.
 */
export async function measurePortal(url: string, settings: Record<string, string>, logFile: string): Promise<Portal> {
  await ensureChromium();
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  // Cookies for an https URL wouldn't be sent to this one.
  const { PUBLIC_URL: _, ...local } = settings;
  const server = await startServer(["dist/server.js"], "/api/health", local, logFile);
  const root = os.userInfo().uid === 0;
  const executablePath = chromiumPath();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: root ? ["--no-sandbox", "--disable-gpu"] : ["--disable-gpu"],
  });
  try {
    await addPerson(db);
    const decided = async () =>
      Number((await db.query("select count(*) from moderation_events where actor_kind = 'user'")).rows[0].count);
    const before = await decided();
    const { rows: pending } = await db.query<{ count: string }>(
      "select count(*) from reviews where client_id = $1 and accepted is null",
      [readerClient.id],
    );
    const page = await browser.newPage({ baseURL: `http://localhost:${server.port}` });
    await page.goto("/portal/reviews");
    await page.getByLabel("Username").fill(person.username);
    await page.getByLabel("Password").fill(person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("article").waitFor();
    await page.waitForLoadState("networkidle");
    // The loader wraps functions in a `__name` helper that the page lacks.
    await page.evaluate("globalThis.__name = (made) => made");
    await page.evaluate(observeKeyPresses);
    const shown = [];
    for (const [name, path] of pages) shown.push({ page: name, median: await measurePage(page, path) });
    const first = await measureDecisions(page);
    await page.getByRole("checkbox", { name: "Select all (up to 200)" }).click();
    await page.getByText("200 selected").waitFor();
    await page.keyboard.press("Escape");
    const items = await page.getByRole("list", { name: "Queue" }).getByRole("listitem").count();
    const second = await measureDecisions(page);
    const until = Date.now() + 30_000;
    while ((await decided()) - before < 2 * DECISIONS && Date.now() < until) await sleep(100);
    const decisionCount = (await decided()) - before;
    if (decisionCount !== 2 * DECISIONS)
      throw new Error(`${PORTAL}: ${decisionCount} of ${2 * DECISIONS} decisions were written.`);
    return {
      name: PORTAL,
      about: "from the press of A in the queue to the frame that shows the next item, in Chromium",
      decisions: DECISIONS,
      pendingReviews: Number(pending[0]?.count),
      ...percentiles(first),
      withLongList: { items, ...percentiles(second) },
      pages: shown,
      firstLoads: await measureLoads(browser, `http://localhost:${server.port}`, await page.context().storageState()),
    };
  } finally {
    await browser.close();
    await server.stop();
    await db.end();
  }
}

/** Pages that a moderator opens. */
const openedPaths = [
  "/portal",
  "/portal/queue",
  "/portal/reviews",
  "/portal/questions",
  "/portal/orders",
  "/portal/products",
  "/portal/invitations",
  "/portal/analytics",
  "/portal/feeds",
  "/portal/integrations",
  "/portal/settings",
  "/portal/settings/templates",
  "/portal/settings/display",
  "/portal/failures",
  "/portal/account",
];

/** Opens each page in a new browser context, signed in. */
async function measureLoads(
  browser: Browser,
  baseURL: string,
  storageState: Awaited<ReturnType<BrowserContext["storageState"]>>,
): Promise<FirstLoad[]> {
  const context = await browser.newContext({ baseURL, storageState });
  const page = await context.newPage();
  await disableScriptCache(page);
  const loads: FirstLoad[] = [];
  for (const path of ["/portal/sign-in", ...openedPaths]) loads.push(await firstLoad(page, path));
  await context.close();
  return loads;
}

async function addPerson(db: pg.Client): Promise<void> {
  await db.query(
    `insert into users (id, account_id, username, password_hash, role) values ('usr_bench', 'acc_bench', $1, $2, 'moderator')
     on conflict do nothing`,
    [person.username, await hashPassword(person.password)],
  );
  await db.query("insert into user_clients (user_id, client_id) values ('usr_bench', $1) on conflict do nothing", [
    readerClient.id,
  ]);
}

/**
 * Milliseconds until a page's HTML is complete: the median of several requests, after a first one. Throws if a request
 * fails.
 */
async function measurePage(page: Page, path: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= REPETITIONS; round += 1) {
    const began = performance.now();
    const answer = await page.request.get(path);
    await answer.body();
    if (answer.status() !== 200) throw new Error(`${PORTAL}: ${path} returned ${answer.status()}.`);
    if (round > 0) times.push(performance.now() - began);
  }
  return percentiles(times).median;
}

/** Milliseconds of each of a hundred decisions. */
async function measureDecisions(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < DECISIONS; at += 1) {
    await sleep(PAUSE_MS);
    await page.keyboard.press("a");
    times.push(await page.evaluate(() => (window as unknown as { candorNext: Promise<number> }).candorNext));
  }
  return times;
}

/** Runs in the page: each press of A creates a promise of the milliseconds until another item is on screen. */
function observeKeyPresses(): void {
  const currentItem = () => document.querySelector("article")?.getAttribute("aria-labelledby") ?? null;
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "a") return;
      const before = currentItem();
      const next = new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          const now = currentItem();
          if (now === null || now === before) return;
          observer.disconnect();
          // A message posted in an animation frame is received after the frame has been drawn.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - event.timeStamp);
            port2.postMessage(null);
          });
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
      });
      Object.assign(window, { candorNext: next });
    },
    { capture: true },
  );
}

function percentiles(times: readonly number[]): { median: number; p95: number; max: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? 0 };
}
