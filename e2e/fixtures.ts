import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { test as base, type Cookie, expect, type Locator, type Page, type Request } from "@playwright/test";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { demoPassword, requestAdmin } from "./server";

type Fixtures = {
  page: Page;
  /** Errors in the browser's console so far. A test that causes one on purpose removes it. */
  consoleErrors: string[];
};

/** Playwright's `test`, against the started server. A console error or an uncaught page error fails the test. */
export const test = base.extend<Fixtures>({
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled === false) return use(page);
    // Waits until the page is interactive, as a person does.
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    page.goto = async (url, options) => {
      const response = await goto(url, options);
      if (options?.waitUntil !== "commit") await waitUntilInteractive(page);
      return response;
    };
    page.reload = async (options) => {
      const response = await reload(options);
      await waitUntilInteractive(page);
      return response;
    };
    await use(page);
  },
  consoleErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      collectConsoleErrors(page, errors);
      page.context().on("page", (other) => other !== page && collectConsoleErrors(other, errors));
      await use(errors);
      expect(errors, "the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * Removes all console errors and returns those that count. Emails are shown in sandboxed frames, where the browser
 * reports every blocked script, including those that Playwright and axe inject.
 */
export const consoleErrorsOutsideMails = (errors: string[]): string[] =>
  errors.splice(0).filter((text) => !/about:srcdoc.*sandboxed/.test(text));

/** Runs the admin command on the data of the server under test: `admin("client", "show", "demo.candor.example")`. */
export async function admin<T = unknown>(...args: string[]): Promise<T> {
  return requestAdmin(args) as Promise<T>;
}

/**
 * A name unique to this worker: after a failed test Playwright continues the file in a new process, next to what the
 * first one created.
 */
export const uniqueName = (name: string): string => `${name}-${process.env.TEST_WORKER_INDEX}`;

export type Login = { username: string; password: string };

/** Creates a person with a role at clients; operators need none. The username is unique. */
export async function createPerson(
  name: string,
  role: "viewer" | "moderator" | "admin" | "operator",
  ...clientIds: string[]
): Promise<Login> {
  const accessArgs = clientIds.flatMap((clientId) => ["--client", clientId]);
  return admin<Login>("user", "create", "--username", uniqueName(name), "--role", role, ...accessArgs);
}

/** A person with all permissions in the demo store and as an operator. */
export const demoLogin: Login = { username: "demo", password: demoPassword };

/** Opens a page of the portal and signs in on the way. */
export async function signIn(
  page: Page,
  { username, password }: Login,
  to = "/portal",
  { javaScript = true } = {},
): Promise<void> {
  await page.goto(to);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => isAtPath(url, to));
  if (javaScript) await waitUntilInteractive(page);
}

/** The cookies of people who have signed in, in this worker. */
const sessions = new Map<string, Cookie[]>();

/**
 * Opens a page of the portal as a person. The first time they sign in by request, since the form would load another
 * page; later they have that session. A test that ends its session uses `signIn`.
 */
export async function openAs(page: Page, { username, password }: Login, to = "/portal"): Promise<void> {
  const cookies = sessions.get(username);
  if (cookies) await page.context().addCookies(cookies);
  else {
    const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
    const form = { csrfToken, username, password };
    const answer = await page.request.post("/api/auth/callback/credentials", { form, maxRedirects: 0 });
    expect(answer.headers().location, `${username} signs in`).not.toContain("error");
    sessions.set(username, await page.context().cookies());
  }
  await page.goto(to);
  await expect(page).toHaveURL((url) => isAtPath(url, to));
  await waitUntilInteractive(page);
}

/** The way from a list to the page shown. */
export const breadcrumbs = (page: Page): Locator => page.getByRole("navigation", { name: "Breadcrumbs" });

/** Waits until a page of the portal handles input: its first script marks that (components/portal/providers.tsx). */
export async function waitUntilInteractive(page: Page): Promise<void> {
  await page.waitForFunction(
    () => !document.querySelector("[data-person]") || performance.getEntriesByName("candor-interactive").length > 0,
  );
}

/** Minified: the builder's own script has 1.5 MB. */
const axeScript = readFileSync(
  createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** Loads its script once per page. The builder sends it twice for each analysis, which takes as long as the analysis. */
class PageAxe extends AxeBuilder {
  readonly #page: Page;

  constructor(page: Page) {
    super({ page, axeSource: "void 0" });
    this.#page = page;
  }

  override async analyze() {
    for (const frame of this.#page.frames())
      try {
        if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(axeScript);
      } catch (error) {
        if (frame === this.#page.mainFrame()) throw error; // a frame may not allow scripts
      }
    return super.analyze();
  }
}

/**
 * axe for a page without frames of other origins. By default it collects all results in a second page, which takes three
 * times as long.
 */
export const axe = (page: Page): AxeBuilder =>
  new PageAxe(page).setLegacyMode().options({ resultTypes: ["violations"] });

/** axe's rules whose results depend on colors. */
export const colorRules = ["color-contrast", "link-in-text-block"];

/** Expects that a page is accessible in both color schemes, and doesn't scroll sideways, also on a phone. */
export async function expectAccessible(page: Page, name = ""): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  expect((await axe(page).analyze()).violations, name).toEqual([]);
  // The schemes differ in their colors only. Two parts render by the scheme they were loaded in:
  // components/settings/widget-preview.tsx (settings.spec.ts loads it in dark) and app/docs/_reference.tsx (docs.spec.ts
  // loads it in light only).
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await axe(page).withRules(colorRules).analyze()).violations, `${name}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  const scrolls = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(await scrolls(), name).toBe(false);
  const size = page.viewportSize();
  if (!size || size.width <= PHONE.width) return;
  await page.setViewportSize(PHONE);
  expect(await scrolls(), `${name}, phone`).toBe(false);
  await page.setViewportSize(size);
}
const PHONE = { width: 390, height: 844 };

/** Holds the scripts that a page loads from now on. Returns a function that resolves when they have arrived. */
export async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const scripts = /\.js(\?|$)/;
  const held: Request[] = [];
  let release = () => {};
  const hold = new Promise<void>((done) => {
    release = done;
  });
  await page.route(scripts, async (route) => {
    held.push(route.request());
    await hold;
    await route.continue();
  });
  return async () => {
    release();
    await Promise.all(held.map(async (request) => (await request.response())?.finished()));
    await page.unroute(scripts);
  };
}

/** A CSV file to select in a form. */
export const csvFile = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

const messages: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(path.join(root, "lib/platform/i18n/messages/en/portal.json"), "utf8"),
);

/** Keys of messages that a page shows instead of their texts. The compiler can't tell a key from a text. */
export async function untranslatedKeys(page: Page): Promise<string[]> {
  const names = (await page.locator("body").innerText()).match(/\b[a-z]\w*\.[a-z]\w*/g) ?? [];
  return names.filter((name) => {
    const [namespace = "", key = ""] = name.split(".");
    return Object.hasOwn(messages, namespace) && Object.hasOwn(messages[namespace] ?? {}, key);
  });
}

/** True if a URL is this path. The queue may have added the id of the item shown. */
function isAtPath(url: URL, to: string): boolean {
  if (url.searchParams.has("item")) url.searchParams.delete("item");
  return `${url.pathname}${url.search}` === to;
}

function collectConsoleErrors(page: Page, errors: string[]) {
  page.on(
    "console",
    (message) => message.type() === "error" && errors.push(`${message.text()} (${message.location().url})`),
  );
  page.on("pageerror", (error) => errors.push(String(error)));
}

export { expect };
