import { readFileSync } from "node:fs";
import path from "node:path";
import { test as base, expect, type Page } from "@playwright/test";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { demoPassword, runAdmin } from "./server";

type Fixtures = {
  page: Page;
  /** What the browser complained about so far. A test that provokes a complaint on purpose takes it out. */
  consoleErrors: string[];
};

/** Playwright's `test`, against the started server; a console error or an uncaught page error fails the test. */
export const test = base.extend<Fixtures>({
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled === false) return use(page);
    // As a person does: nothing is pressed before the page shows that it can be.
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
 * Takes all console errors out, and answers those that count: mails are shown in frames that let nothing run, not even what
 * looks through a page for a test, and the browser says so.
 */
export const consoleErrorsOutsideMails = (errors: string[]): string[] =>
  errors.splice(0).filter((text) => !/about:srcdoc.*sandboxed/.test(text));

/** The operator's command on the data of the server under test: `admin("client", "show", "demo.candor.example")`. */
export async function admin<T = unknown>(...args: string[]): Promise<T> {
  return runAdmin(process.env.E2E_DATA_DIR ?? "", Number(new URL(process.env.E2E_URL ?? "").port), args) as Promise<T>;
}

/**
 * A name that nothing had before: after a failed test Playwright goes on with the rest of a file in a new process, which
 * begins anew beside what the first one made.
 */
export const uniqueName = (name: string): string => `${name}-${process.env.TEST_WORKER_INDEX}`;

export type Login = { username: string; password: string };

/** Somebody with a role at a client; operators need none. The name is made fresh. */
export async function createPerson(
  name: string,
  role: "viewer" | "moderator" | "admin" | "operator",
  clientId?: string,
): Promise<Login> {
  const accessArgs = clientId === undefined ? [] : ["--client", clientId];
  return admin<Login>("user", "create", "--username", uniqueName(name), "--role", role, ...accessArgs);
}

/** Who may do everything in the demo shop, and all that operators do. */
export const demoLogin: Login = { username: "demo", password: demoPassword };

/** Goes to a page of the portal, and signs in on the way. */
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

/** Waits until a page of the portal hears what is pressed: its first script says so (components/portal/providers.tsx). */
export async function waitUntilInteractive(page: Page): Promise<void> {
  await page.waitForFunction(
    () => !document.querySelector("[data-person]") || performance.getEntriesByName("candor-usable").length > 0,
  );
}

const messages: Record<string, Record<string, string>> = JSON.parse(
  readFileSync(path.join(root, "lib/platform/i18n/messages/en/portal.json"), "utf8"),
);

/** Keys of messages that a page shows instead of their texts. The compiler cannot tell a key from a text. */
export async function untranslatedKeys(page: Page): Promise<string[]> {
  const names = (await page.locator("body").innerText()).match(/\b[a-z]\w*\.[a-z]\w*/g) ?? [];
  return names.filter((name) => {
    const [namespace = "", key = ""] = name.split(".");
    return Object.hasOwn(messages, namespace) && Object.hasOwn(messages[namespace] ?? {}, key);
  });
}

/** Whether an address is this one, be it that the page has named the item that it shows by now. */
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
